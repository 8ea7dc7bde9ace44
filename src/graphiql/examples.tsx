import {
  ChevronDownIcon,
  DropdownMenu,
  HistoryIcon,
  ToolbarButton,
  useGraphiQL,
  useGraphiQLActions,
} from '@graphiql/react';
import { useEffect } from 'react';
import { replaceText, useEditors } from './editors.ts';
import { exampleOf, isEdited, operationName, type Tab } from './tabs.ts';

interface ExampleProps {
  readonly examples: readonly Tab[];
}

/** A menu of all tabs, however many fit beside each other, and of the examples that were closed. */
export function TabMenu({ examples }: ExampleProps) {
  const { tabs, activeTabIndex } = useGraphiQL(({ tabs, activeTabIndex }) => ({ tabs, activeTabIndex }));
  const { addTab, changeTab } = useGraphiQLActions();
  const showTab = useShowTab();
  const closed = examples.filter((example) => !exampleOf(example, tabs));

  // biome-ignore lint/correctness/useExhaustiveDependencies: for each tab that becomes the active one.
  useEffect(() => {
    document.querySelector('.graphiql-tab-active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [activeTabIndex]);

  return (
    <DropdownMenu>
      <DropdownMenu.Button className="tab-menu">
        All tabs <ChevronDownIcon aria-hidden="true" />
      </DropdownMenu.Button>
      <DropdownMenu.Content align="end">
        {tabs.map(({ id, title }, index) => (
          <DropdownMenu.Item key={id} onSelect={() => changeTab(index)}>
            {title}
          </DropdownMenu.Item>
        ))}
        {closed.map((example) => (
          <DropdownMenu.Item
            key={example.query}
            onSelect={() => {
              addTab();
              showTab(example);
            }}
          >
            {operationName(example)} <small>example</small>
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu>
  );
}

/** Brings an example back that the user has edited; shown for no other tab. */
export function RestoreButton({ examples }: ExampleProps) {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);
  const showTab = useShowTab();
  const example = tab && exampleOf(tab, examples);
  if (
    !example ||
    !isEdited({ ...tab, variables: tab.variables ?? null, headers: tab.headers ?? null }, example)
  )
    return null;
  return (
    <ToolbarButton label="Restore the example" onClick={() => showTab(example)}>
      <HistoryIcon className="graphiql-toolbar-icon" aria-hidden="true" />
    </ToolbarButton>
  );
}

/** Returns a function that puts the text of a tab into the editors. */
function useShowTab(): (tab: Tab) => void {
  const { queryEditor, variableEditor, headerEditor } = useEditors();
  return ({ query, variables, headers }) => {
    if (queryEditor) replaceText(queryEditor, query ?? '');
    if (variableEditor) replaceText(variableEditor, variables ?? '');
    if (headerEditor) replaceText(headerEditor, headers ?? '');
  };
}
