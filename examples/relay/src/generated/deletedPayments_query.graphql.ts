/**
 * @generated SignedSource<<a9d078e53896593b780a0cd1839d5259>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ReaderFragment } from 'relay-runtime';
import type { FragmentRefs } from "relay-runtime";
export type deletedPayments_query$data = {
  readonly deletedPayments: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly deletedAt: string | null | undefined;
        readonly id: string;
      } | null | undefined;
    }>;
  } | null | undefined;
  readonly " $fragmentType": "deletedPayments_query";
};
export type deletedPayments_query$key = {
  readonly " $data"?: deletedPayments_query$data;
  readonly " $fragmentSpreads": FragmentRefs<"deletedPayments_query">;
};

import deletedPaymentsPageQuery_graphql from './deletedPaymentsPageQuery.graphql';

const node: ReaderFragment = (function(){
var v0 = [
  "deletedPayments"
];
return {
  "argumentDefinitions": [
    {
      "defaultValue": null,
      "kind": "LocalArgument",
      "name": "administrationId"
    },
    {
      "defaultValue": 20,
      "kind": "LocalArgument",
      "name": "count"
    },
    {
      "defaultValue": null,
      "kind": "LocalArgument",
      "name": "cursor"
    },
    {
      "defaultValue": null,
      "kind": "LocalArgument",
      "name": "deletedAfter"
    }
  ],
  "kind": "Fragment",
  "metadata": {
    "connection": [
      {
        "count": "count",
        "cursor": "cursor",
        "direction": "forward",
        "path": (v0/*:: as any*/)
      }
    ],
    "refetch": {
      "connection": {
        "forward": {
          "count": "count",
          "cursor": "cursor"
        },
        "backward": null,
        "path": (v0/*:: as any*/)
      },
      "fragmentPathInResult": [],
      "operation": deletedPaymentsPageQuery_graphql
    }
  },
  "name": "deletedPayments_query",
  "selections": [
    {
      "alias": "deletedPayments",
      "args": [
        {
          "kind": "Variable",
          "name": "administrationId",
          "variableName": "administrationId"
        },
        {
          "kind": "Variable",
          "name": "deletedAfter",
          "variableName": "deletedAfter"
        }
      ],
      "concreteType": "DeletedPaymentConnection",
      "kind": "LinkedField",
      "name": "__deletedPayments_deletedPayments_connection",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "DeletedPaymentEdge",
          "kind": "LinkedField",
          "name": "edges",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "concreteType": "DeletedPayment",
              "kind": "LinkedField",
              "name": "node",
              "plural": false,
              "selections": [
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "id",
                  "storageKey": null
                },
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "deletedAt",
                  "storageKey": null
                },
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "__typename",
                  "storageKey": null
                }
              ],
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "cursor",
              "storageKey": null
            }
          ],
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "concreteType": "PageInfo",
          "kind": "LinkedField",
          "name": "pageInfo",
          "plural": false,
          "selections": [
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "endCursor",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "hasNextPage",
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "type": "Query",
  "abstractKey": null
};
})();

(node as any).hash = "71c109f713a229ba9842c92e19865f56";

export default node;
