import { filterSchema, pruneSchema } from '@graphql-tools/utils';
import { type GraphQLNamedType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { schema } from '../../schema/index.ts';
import { UsageError } from '../failure.ts';

/** Returns the schema of queries without these types and fields, and without the inputs that read such a field. */
export function createVisibleSchema(omitted: readonly string[]): GraphQLSchema {
  for (const name of omitted) {
    const [type = '', field] = name.split('.');
    const match = field === undefined ? schema.getType(type) : getFieldType(schema.getType(type), field);
    if (!match) throw new UsageError(`--omit takes types and fields, such as Debtor.remark, not '${name}'`);
  }
  // `companies` needs other credentials than a token.
  const hidden = ['Query.companies', ...omitted];
  const isVisible = (type: string, field = '') => {
    // `DebtorWhere` has conditions on `Debtor`, which is hidden with all types whose names begin so.
    const owner = type.replace(/(Where|Totals|By)$/, '');
    return !hidden.some((name) => name === `${owner}.${field}` || owner.startsWith(name));
  };
  const visible = filterSchema({
    schema,
    rootFieldFilter: (operation, field) => operation === 'Query' && isVisible(operation, field),
    typeFilter: (type) => isVisible(type),
    fieldFilter: isVisible,
    argumentFilter(type = '', field = '', argument = '') {
      // `debtorNumbers` and `updatedAfter` are conditions on `debtorNumber` and `updatedAt`.
      const record = getFieldType(schema.getType(type), field)?.name.replace(/Connection$/, '') ?? '';
      const names = [argument, argument.replace(/s$/, ''), argument.replace(/(After|Before)$/, 'At')];
      return names.every((name) => isVisible(record, name));
    },
    enumValueFilter(type, _name, { value }) {
      const { column = value, sumOf } = Object(value);
      let owner = schema.getType(type.replace(/(Group|GroupOrder|Order)Field$/, ''));
      return [sumOf ?? column?.names ?? []].flat().every((name: string) => {
        const isShown = isVisible(owner?.name ?? '', name);
        owner = getFieldType(owner, name);
        return isShown;
      });
    },
  });
  return pruneSchema(visible);
}

function getFieldType(type: GraphQLNamedType | undefined, field: string): GraphQLNamedType | undefined {
  return isObjectType(type) ? getNamedType(type.getFields()[field]?.type) : undefined;
}
