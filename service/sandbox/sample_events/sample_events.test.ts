import { createHmac } from 'node:crypto';
import { createSampleEvent } from '@tenant-payments/backoffice/portal/sandbox/sample_events.ts';
import { records } from '@tenant-payments/contract/catalog.ts';
import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import { schemaMarks } from '@tenant-payments/contract/core/schema.ts';
import {
  type EventType,
  eventTypes,
  moveRows,
  type Resource,
} from '@tenant-payments/contract/lifecycles.ts';
import { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import { resourceOf, statusOf } from '@tenant-payments/contract/steps.ts';
import { type StoredText, unpackEvent } from '@tenant-payments/engine/packed_text/event_text.ts';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { startTestReceiver, type TestReceiver } from '../../../test/kit/http/receiver.ts';
import { openSampleLedger } from '../../../test/kit/ledger/sample_ledger.ts';
import { startTestServer, type TestServer, type TestTenant } from '../../../test/kit/server.ts';
import type { ReadContext } from '../../read_context.ts';
import { openQrSigner } from '../../resources/payment_requests/qr.ts';
import type { Service } from '../../service.ts';

const ajv = new Ajv({ strict: true, keywords: schemaMarks });
addFormats.default(ajv);
const valid = (schema: TSchema, value: unknown, what: string) =>
  expect(ajv.validate(schema, value), `${what}: ${ajv.errorsText()}`).toBe(true);

/** Whether a row of the state table leads to this status with this event. */
function isStep(type: EventType, was: string | null, now: string): boolean {
  const leads = ({ event, from, to }: Move) => {
    if (event !== type) return false;
    if (from === 'new') return was === null && to === now;
    return was !== null && from.includes(was) && now === (to === 'same' ? was : to);
  };
  return moveRows.some(({ move }) => leads(move)) || (type.endsWith('.updated') && was === now);
}

/** Checks what holds of an event of any type. */
function checkEvent(type: EventType, event: ReplyBody): void {
  const { object, previous_attributes: previous } = event.data;
  const resource = resourceOf(type);
  valid(Event, event, type);
  valid(records[resource], object, `${type} object`);
  expect(event).toMatchObject({ type, environment: 'sandbox', api_version: 'v1' });
  expect(object.object).toBe(resource);
  if (previous === null) return;
  expect(Object.keys(previous), type).not.toEqual([]);
  expect(previous).not.toHaveProperty('version');
  for (const [name, value] of Object.entries(previous)) expect(object[name]).not.toEqual(value);
  valid(records[resource], { ...object, ...previous }, `${type} before`);
}

const wasStatus = (resource: Resource, { object, previous_attributes: previous }: ReplyBody) =>
  previous === null ? null : statusOf(resource, { ...object, ...previous });

describe('an example', () => {
  let server: TestServer;
  let receiver: TestReceiver;
  let tenant: TestTenant;

  beforeAll(async () => {
    server = await startTestServer();
    receiver = await startTestReceiver();
    tenant = await server.anotherTenant();
    const body = { url: receiver.url, enabled: true };
    await server.call('PUT', '/portal/api/webhook-endpoint', { token: tenant.token, body });
  });
  afterAll(async () => {
    await receiver.close();
    await server.stop();
  });

  const send = (body: object, token = tenant.token) =>
    server.call('POST', '/portal/api/sample-events', { token, body });

  test('of each type of the catalog is valid, and a row of its state table', async () => {
    for (const type of eventTypes) {
      const { status, body } = await send({ type });
      expect(status, JSON.stringify(body)).toBe(201);
      checkEvent(type, body);
      const resource = resourceOf(type);
      const [was, now] = [wasStatus(resource, body.data), statusOf(resource, body.data.object)];
      expect(isStep(type, was, now), `${type} from ${was} to ${now}`).toBe(true);
    }
    await receiver.waitFor(eventTypes.length);
    const arrived = new Set(receiver.received.map(({ event }) => event.type));
    expect(arrived).toEqual(new Set(eventTypes));
  });

  test('arrives signed and as replied, and is listed and resent like any event', async () => {
    receiver.received.length = 0;
    const { body } = await send({ type: 'payment.completed' });
    await receiver.waitFor(1);
    const [request] = receiver.received;
    expect(request?.body.toString('utf8')).toBe(JSON.stringify(body));
    const [t = '', v1] = String(request?.headers['service-signature']).split(',');
    const hmac = createHmac('sha256', tenant.webhook_secret)
      .update(`${t.slice(2)}.${request?.body}`)
      .digest('hex');
    expect(v1).toBe(`v1=${hmac}`);
    const page = await server.call('GET', '/v1/webhook-events?type=payment.completed&limit=1', {
      token: tenant.token,
    });
    expect(page.body.data[0]).toMatchObject(body);
    const path = `/v1/webhook-events/${body.id}/resend`;
    expect((await server.call('POST', path, { token: tenant.token })).status).toBe(202);
    await receiver.waitFor(2);
  });

  test('has new ids and a QR payload that cannot be paid, and changes nothing', async () => {
    const [one, two] = [await send({ type: 'load.failed' }), await send({ type: 'load.failed' })];
    expect(one.body.data.object).toMatchObject({
      status: 'failed',
      failure_code: 'customer_refused',
    });
    expect(one.body.data.object.id).not.toBe(two.body.data.object.id);
    const { id } = one.body.data.object;
    expect((await server.call('GET', `/v1/loads/${id}`, { token: tenant.token })).status).toBe(404);
    const { object } = (await send({ type: 'payment_request.created' })).body.data;
    const signer = openQrSigner(server.service.config.qrSigningKeys, 'sandbox');
    expect(signer.read(object.qr_payload).content).toMatchObject({ id: object.id, t: 'dynamic' });
    const { rows } = await server.service.pool.query(
      `select (select count(*) from loads where tenant_id = $1) as loads,
        (select count(*) from events where tenant_id = $1 and not sample) as events`,
      [tenant.tenantId],
    );
    expect(rows[0]).toEqual({ loads: 0, events: 0 });
  });

  test('waits without an attempt where no endpoint is enabled', async () => {
    const other = await server.anotherTenant();
    const { body } = await send({ type: 'customer.approved' }, other.token);
    const page = await server.call('GET', '/v1/webhook-events', { token: other.token });
    expect(page.body.data).toHaveLength(1);
    expect(page.body.data[0]).toMatchObject({
      id: body.id,
      delivery: { status: 'pending', attempts: 0, last_attempt_at: null },
    });
  });

  test.each([
    [{ type: 'payment.vanished' }, 'parameter_invalid', 'type'],
    [{}, 'parameter_missing', 'type'],
    [{ type: 'load.failed', object_id: '' }, 'parameter_invalid', 'object_id'],
    [{ type: 'load.failed', sample: true }, 'parameter_invalid', 'sample'],
  ])('is refused for %j', async (body, code, param) => {
    const reply = await send(body);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatchObject({ code, param });
  });

  test('is not made in production', async () => {
    const production = { sandboxTools: null, engine: server.service.engine } as Service;
    const sample = createSampleEvent(production)({} as ReadContext, { type: 'load.failed' });
    await expect(sample).rejects.toMatchObject({ code: 'sandbox_only' });
  });
});

describe('a record of the tenant', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openSampleLedger();
  });
  afterAll(() => server.stop());

  const send = (body: object, token = server.token) =>
    server.call('POST', '/portal/api/sample-events', { body, token });

  /** The last real event of each record of a resource shows the record as it is. */
  async function lastObjects(resource: Resource) {
    const { rows } = await server.service.pool.query<StoredText>(
      `select distinct on (object_id) id, created_at, object_id, body from events
      where tenant_id = $1 and object_type = $2 and not sample
      order by object_id, version desc`,
      [server.tenant.tenantId, resource],
    );
    return rows.map((row) => ({
      id: publicId(resource as IdKind, row.object_id),
      object: JSON.parse(unpackEvent(row)).data.object,
    }));
  }

  /** A report is named by its day, and this ledger has no report yet. */
  const named = (Object.keys(records) as Resource[]).filter((r) => r !== 'reconciliation_report');

  test.each(named)('is shown as it is now: %s', async (resource) => {
    const types = eventTypes.filter((type) => resourceOf(type) === resource);
    const found = await lastObjects(resource);
    expect(found.length).toBeGreaterThan(0);
    for (const { id, object } of found)
      for (const type of types) {
        const { status, body } = await send({ type, object_id: id });
        expect(status, JSON.stringify(body)).toBe(201);
        checkEvent(type, body);
        expect(body.data.object).toEqual(object);
      }
  });

  test('has the status before its move in previous_attributes', async () => {
    for (const { id, object } of await lastObjects('payment')) {
      const type = `payment.${object.status}`;
      if (!eventTypes.includes(type as EventType)) continue;
      if (object.source !== 'balance' || object.refunded_amount > 0) continue;
      const { body } = await send({ type, object_id: id });
      expect(body.data.previous_attributes).toEqual({ status: 'requires_confirmation' });
    }
    const [customer] = await lastObjects('customer');
    const { body } = await send({ type: 'customer.approved', object_id: customer?.id });
    expect(body.data.previous_attributes.verification).toEqual({
      ...customer?.object.verification,
      status: 'pending',
    });
  });

  test('is unchanged, and its earlier events are not sent again', async () => {
    const { pool } = server.service;
    const count = async () =>
      (
        await pool.query(
          `select (select sum(version) from payments) as versions,
            (select sum(revision) from payments) as revisions,
            (select count(*) from events where not sample) as events`,
        )
      ).rows[0];
    const before = await count();
    for (const { id } of await lastObjects('payment'))
      await send({ type: 'payment.completed', object_id: id });
    expect(await count()).toEqual(before);
  });

  test('of another tenant, of another kind, or that does not exist is refused', async () => {
    const [payment] = await lastObjects('payment');
    const object_id = payment?.id;
    const other = await server.anotherTenant();
    const refusals = [
      await send({ type: 'payment.completed', object_id }, other.token),
      await send({ type: 'payment.completed', object_id: `pay_${'0'.repeat(32)}` }),
      await send({ type: 'payment.completed', object_id: 'nonsense' }),
      await send({ type: 'load.settled', object_id }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.error.code])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
      [404, 'not_found'],
      [400, 'parameter_invalid'],
    ]);
    expect(refusals[3]?.body.error).toMatchObject({
      param: 'object_id',
      details: { reason: 'not_of_this_type', expected: 'load' },
    });
  });
});
