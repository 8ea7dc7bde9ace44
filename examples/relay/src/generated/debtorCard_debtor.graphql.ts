/**
 * @generated SignedSource<<bedd9baacab9cdc27ed1502304425484>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ReaderFragment } from 'relay-runtime';
import type { FragmentRefs } from "relay-runtime";
export type debtorCard_debtor$data = {
  readonly bookOpenAmount: string | null | undefined;
  readonly id: string;
  readonly labels: ReadonlyArray<{
    readonly name: string;
  }> | null | undefined;
  readonly name: string;
  readonly " $fragmentType": "debtorCard_debtor";
};
export type debtorCard_debtor$key = {
  readonly " $data"?: debtorCard_debtor$data;
  readonly " $fragmentSpreads": FragmentRefs<"debtorCard_debtor">;
};

import debtorCardRefetchQuery_graphql from './debtorCardRefetchQuery.graphql';

const node: ReaderFragment = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "name",
  "storageKey": null
};
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": {
    "refetch": {
      "connection": null,
      "fragmentPathInResult": [
        "node"
      ],
      "operation": debtorCardRefetchQuery_graphql,
      "identifierInfo": {
        "identifierField": "id",
        "identifierQueryVariableName": "id"
      }
    }
  },
  "name": "debtorCard_debtor",
  "selections": [
    (v0/*:: as any*/),
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "bookOpenAmount",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Label",
      "kind": "LinkedField",
      "name": "labels",
      "plural": true,
      "selections": [
        (v0/*:: as any*/)
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "id",
      "storageKey": null
    }
  ],
  "type": "Debtor",
  "abstractKey": null
};
})();

(node as any).hash = "8e3ef5f7cc76730292a89f2c6c0e00f8";

export default node;
