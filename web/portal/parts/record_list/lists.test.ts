import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import type { PortalEndpoint } from '@tenant-payments/backoffice/contract/endpoint.ts';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { type RecordList, recordLists } from './lists.ts';

const fields = { status: 'status', customer: 'customer_id', times: 'from' } as const;
const lists = Object.entries<RecordList>(recordLists);
const shapeOf = (path: string) => path.replace(/:\w+/g, 'cus_…');

test.each(lists)('%s shows the call that the API takes', (_name, list) => {
  if (!list.call) return;
  const [path, body] = list.call;
  const found = Object.values<EndpointDefinition>(endpoints).find(
    (endpoint) => endpoint.method === 'POST' && shapeOf(endpoint.path) === path,
  );
  expect([path, found && Value.Errors(found.body ?? {}, body)]).toEqual([path, []]);
});

test.each(lists)('%s offers each filter that its list takes', (_name, list) => {
  const endpoint = Object.values<PortalEndpoint>(portalEndpoints).find(
    ({ method, path }) => `${method} ${path}` === list.route,
  );
  const taken = Object.keys(endpoint?.query?.properties ?? {});
  const offered = Object.entries(fields).flatMap(([name, field]) =>
    taken.includes(field) ? [name] : [],
  );
  expect([...list.filters]).toEqual(offered);
});
