import type { Json } from '../openapi/schemas.ts';
import { at, ids } from './story.ts';

/** Examples of what several operations take, by the parameter's name. */
const named: Json = {
  actor: 'per_019cb0c45e007000800000000000002a',
  code: 'insufficient_funds',
  collection_point_reference: 'counter-1',
  cursor: 'cur_EXAMPLE',
  customer_id: ids.ana,
  endpoint_id: 'first',
  event_id: ids.event,
  from: at('00:00:00'),
  idempotency_key: 'order-2041',
  invoice_reference: 'INV-2041',
  limit: 25,
  metadata: { branch: 'berlin' },
  object_id: ids.payment,
  order_reference: 'order-2041',
  path: '/v1/payments',
  person_id: 'per_019cb0c45e007000800000000000002a',
  record: ids.payment,
  request_id: ids.request,
  source_id: ids.payment,
  status: '4xx',
  tenant_id: 'ten_019cb0c45e0070008000000000000014',
  to: at('23:59:59'),
  version: '2026-03',
};

/** The example of a parameter that its operation gives none: by its values, else by its name. */
export function parameterExample(name: string, schema: Json): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.type === 'boolean') return true;
  return named[name];
}
