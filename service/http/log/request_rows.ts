import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { ShownBy } from '@tenant-payments/engine/command.ts';
import { arrayParameter } from '@tenant-payments/engine/database/binary.ts';
import { recordWords } from '@tenant-payments/engine/packed_text/record_words.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import { redactedJson, redactedTarget, redactedText } from './redact.ts';

/** A request and its reply as they were, secrets included. It never leaves this process's memory. */
export interface AnsweredRequest {
  /** The id in Service-Request-Id. */
  readonly requestId: string;
  readonly tenantId: string;
  /** Real time, in epoch milliseconds, at which its headers had arrived. */
  readonly atMs: number;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  readonly replayed: boolean;
  readonly durationMs: number;
  /** Parsed; null when there was none or it could not be read. */
  readonly requestBody: unknown;
  /** The hash of its Idempotency-Key; null: it had none. */
  readonly keyHash: string | null;
  readonly userAgent: string | null;
  /** The event that shows the reply's record. */
  readonly shownBy: ShownBy | null;
  /** In a sandbox: what production would have answered. */
  readonly refusedInProduction: string | null;
  /** The text that was sent; null where `shownBy` tells it. */
  readonly replyBody: string | null;
  /** Bytes that the two bodies take, about. */
  readonly weight: number;
}

/** A row of `requests`. */
export interface RequestRow {
  readonly tenant_id: string;
  readonly id: string | null;
  readonly at: Instant;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  readonly replayed: boolean;
  readonly duration_ms: number;
  /** The bodies are packed (`recordWords`). */
  readonly request_body: string | null;
  readonly response_body: string | null;
  readonly key_hash: string | null;
  readonly user_agent: string | null;
  /** The reply shows this event's record, and no `response_body` is kept. */
  readonly event_id: string | null;
  readonly once_field: string | null;
  readonly session_id: string | null;
  readonly refused_in_production: string | null;
}

const columns = {
  tenant_id: 'uuid',
  id: 'uuid',
  at: 'timestamptz',
  method: 'text',
  path: 'text',
  status: 'integer',
  code: 'text',
  param: 'text',
  replayed: 'boolean',
  duration_ms: 'integer',
  request_body: 'text',
  response_body: 'text',
  key_hash: 'uuid',
  user_agent: 'text',
  event_id: 'uuid',
  once_field: 'text',
  session_id: 'uuid',
  refused_in_production: 'text',
} as const satisfies Record<keyof RequestRow, string>;

const names = Object.keys(columns) as (keyof RequestRow)[];
const insert = `insert into requests (${names.join(', ')}) select * from unnest(${names
  .map((name, index) => `$${index + 1}::${columns[name]}[]`)
  .join(', ')}) on conflict do nothing`;

/** A reply's JSON, or null: only what can be redacted by field is kept. */
function parsed(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `error.code` and `error.param` of a refusal. A field's name may be anything that a caller sent. */
function refusalOf(reply: unknown): Pick<RequestRow, 'code' | 'param'> {
  const { code, param } =
    (reply as { error?: { code?: string; param?: string | null } })?.error ?? {};
  const shown = param ? redactedText(param).replaceAll('\0', '') : null;
  return { code: code ?? null, param: shown };
}

const longestName = 256;

/** The name that a program gives itself, which may be anything. */
const shownName = (text: string | null): string | null =>
  text === null ? null : redactedText(text.slice(0, longestName)).replaceAll('\0', '');

/** The row of a request, without anything secret or personal (rules/retention#14). */
export function rowOf(answered: AnsweredRequest): RequestRow {
  const { requestBody } = answered;
  const reply = parsed(answered.replyBody);
  return {
    tenant_id: answered.tenantId,
    id: uuidOf('request', answered.requestId),
    at: instantOf(answered.atMs),
    method: answered.method,
    path: redactedTarget(answered.target),
    status: answered.status,
    ...(answered.status >= 400 ? refusalOf(reply) : { code: null, param: null }),
    replayed: answered.replayed,
    duration_ms: Math.round(answered.durationMs),
    request_body: requestBody === null ? null : recordWords.pack(redactedJson(requestBody)),
    response_body: reply === null ? null : recordWords.pack(redactedJson(reply)),
    key_hash: answered.keyHash,
    user_agent: shownName(answered.userAgent),
    event_id: answered.shownBy?.eventId ?? null,
    once_field: answered.shownBy?.onceField ?? null,
    session_id: answered.shownBy?.sessionId ?? null,
    refused_in_production: answered.refusedInProduction,
  };
}

/** Writes rows of any tenants in one statement. */
export async function insertRows(pool: pg.Pool, rows: readonly RequestRow[]): Promise<void> {
  const values = names.map((name) =>
    arrayParameter(
      columns[name],
      rows.map((row) => row[name]),
    ),
  );
  await pool.query({ name: 'insert_requests', text: insert, values });
}

/** Rows deleted at a time, so that no statement takes long. */
const sweptAtOnce = 5_000;

/** Deletes the oldest rows from before an instant of real time. @returns whether there are more */
export async function sweepRows(pool: pg.Pool, before: Instant): Promise<boolean> {
  const { rowCount } = await pool.query(
    `delete from requests r using
       (select tenant_id, id from requests where at < $1 limit ${sweptAtOnce}) old
     where r.tenant_id = old.tenant_id and r.id = old.id`,
    [before],
  );
  return rowCount === sweptAtOnce;
}
