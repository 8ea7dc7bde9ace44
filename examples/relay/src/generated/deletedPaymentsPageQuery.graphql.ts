/**
 * @generated SignedSource<<e6f9f9b221903d71371bf88348c57798>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
import type { FragmentRefs } from "relay-runtime";
export type deletedPaymentsPageQuery$variables = {
  administrationId: string;
  count?: number | null | undefined;
  cursor?: string | null | undefined;
  deletedAfter?: string | null | undefined;
};
export type deletedPaymentsPageQuery$data = {
  readonly " $fragmentSpreads": FragmentRefs<"deletedPayments_query">;
};
export type deletedPaymentsPageQuery = {
  response: deletedPaymentsPageQuery$data;
  variables: deletedPaymentsPageQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
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
v1 = {
  "kind": "Variable",
  "name": "administrationId",
  "variableName": "administrationId"
},
v2 = {
  "kind": "Variable",
  "name": "deletedAfter",
  "variableName": "deletedAfter"
},
v3 = [
  (v1/*:: as any*/),
  {
    "kind": "Variable",
    "name": "after",
    "variableName": "cursor"
  },
  (v2/*:: as any*/),
  {
    "kind": "Variable",
    "name": "first",
    "variableName": "count"
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "deletedPaymentsPageQuery",
    "selections": [
      {
        "args": [
          (v1/*:: as any*/),
          {
            "kind": "Variable",
            "name": "count",
            "variableName": "count"
          },
          {
            "kind": "Variable",
            "name": "cursor",
            "variableName": "cursor"
          },
          (v2/*:: as any*/)
        ],
        "kind": "FragmentSpread",
        "name": "deletedPayments_query"
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "deletedPaymentsPageQuery",
    "selections": [
      {
        "alias": null,
        "args": (v3/*:: as any*/),
        "concreteType": "DeletedPaymentConnection",
        "kind": "LinkedField",
        "name": "deletedPayments",
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
      },
      {
        "alias": null,
        "args": (v3/*:: as any*/),
        "filters": [
          "administrationId",
          "deletedAfter"
        ],
        "handle": "connection",
        "key": "deletedPayments_deletedPayments",
        "kind": "LinkedHandle",
        "name": "deletedPayments"
      }
    ]
  },
  "params": {
    "cacheID": "d7a2be198d1a7b59c74077299a14d915",
    "id": null,
    "metadata": {},
    "name": "deletedPaymentsPageQuery",
    "operationKind": "query",
    "text": "query deletedPaymentsPageQuery(\n  $administrationId: ID!\n  $count: Int = 20\n  $cursor: String\n  $deletedAfter: DateTime\n) {\n  ...deletedPayments_query_3z9HGQ\n}\n\nfragment deletedPayments_query_3z9HGQ on Query {\n  deletedPayments(administrationId: $administrationId, deletedAfter: $deletedAfter, first: $count, after: $cursor) {\n    edges {\n      node {\n        id\n        deletedAt\n        __typename\n      }\n      cursor\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "71c109f713a229ba9842c92e19865f56";

export default node;
