import { eventTypes, records } from '@tenant-payments/contract/catalog.ts';
import type { Resource } from '@tenant-payments/contract/lifecycles.ts';
import { ageOf, digestOf, itemsOf, type Parts, right, type Signed, type Told } from './right.ts';

/** A receiver with one fault, and the duties that it breaks. */
export interface Wrong {
  readonly does: string;
  readonly parts: Partial<Parts>;
  readonly fails: readonly string[];
  /** How long the check waits for an answer; ten seconds unless given. */
  readonly limitMs?: number;
}

/** Another check of the signature: of which items, which times, and over what. */
const checking =
  ({
    items = (all: (string | undefined)[]) => all,
    isTime = (age: number) => Math.abs(age) <= 300,
    bytes = (raw: string) => raw,
    status = 400,
  }): Parts['check'] =>
  ({ header, raw }, secrets) => {
    const { t, digests } = itemsOf(header);
    if (t === null || !isTime(ageOf(t))) return status;
    const isRight = secrets.some((secret) =>
      items(digests).includes(digestOf(secret, t, bytes(raw))),
    );
    return isRight ? null : status;
  };

const unless =
  (refuses: (signed: Signed) => number | null): Parts['check'] =>
  (signed, secrets) =>
    refuses(signed) ?? right.check(signed, secrets);

const known = new Set<string>(eventTypes);

/** A field that the contract does not have, of a record that it has. */
function hasNewField({ data, ...event }: Told): boolean {
  const schema = records[data.object.object as Resource];
  const isNew = (names: readonly string[], value: object) =>
    Object.keys(value).some((name) => !names.includes(name));
  return (
    schema !== undefined &&
    (isNew(Object.keys(schema.properties), data.object) ||
      isNew(['object', 'previous_attributes'], data) ||
      isNew(['id', 'object', 'type', 'api_version', 'environment', 'created_at'], event))
  );
}

const failing = (isWrong: (event: Told) => boolean, status = 400): Partial<Parts> => ({
  refuses: (event) => (isWrong(event) ? status : null),
});

export const wrongReceivers: readonly Wrong[] = [
  { does: 'verifies nothing', parts: { check: () => null }, fails: ['refuses-forged'] },
  {
    does: 'answers a wrong signature with 500',
    parts: { check: checking({ status: 500 }) },
    fails: ['refuses-forged'],
  },
  {
    does: 'verifies only where there is a signature',
    parts: {
      check: (signed, secrets) =>
        signed.header === undefined ? null : right.check(signed, secrets),
    },
    fails: ['refuses-unsigned'],
  },
  {
    does: 'crashes at a signature of another form',
    parts: {
      check: unless(({ header }) => (header && !/^t=\d+,v1=[0-9a-f]/.test(header) ? 500 : null)),
    },
    fails: ['refuses-malformed'],
  },
  {
    does: 'parses the body before it verifies',
    parts: { check: checking({ bytes: (raw) => JSON.stringify(JSON.parse(raw)) }) },
    fails: ['raw-body'],
  },
  {
    does: 'takes old signatures',
    parts: { check: checking({ isTime: (age) => age >= -300 }) },
    fails: ['refuses-old'],
  },
  {
    does: 'takes signatures of the future',
    parts: { check: checking({ isTime: (age) => age <= 300 }) },
    fails: ['refuses-future'],
  },
  {
    does: 'takes no other clock than its own',
    parts: { check: checking({ isTime: (age) => Math.abs(age) <= 30 }) },
    fails: ['tolerates-clock'],
  },
  {
    does: 'looks at the first signature alone',
    parts: { check: checking({ items: ([first]) => [first] }) },
    fails: ['any-item'],
  },
  {
    does: 'knows one of two secrets',
    parts: { check: (signed, [old = '']) => right.check(signed, [old]) },
    fails: ['rotation'],
  },
  {
    does: 'refuses duplicates with 409',
    parts: { refuses: ({ id }, { ids }) => (ids.has(id) ? 409 : null) },
    fails: ['duplicate-acknowledged'],
  },
  {
    does: 'applies duplicates twice',
    parts: {
      isKnown: () => false,
      isOutdated: (held, next) =>
        JSON.stringify(held) !== JSON.stringify(next) && right.isOutdated(held, next),
    },
    fails: ['duplicate-no-effect'],
  },
  {
    does: 'applies older versions',
    parts: {
      isOutdated: (held, next) => typeof next.version !== 'number' && right.isOutdated(held, next),
    },
    fails: ['overtaken'],
  },
  {
    does: 'misses a step that was overtaken',
    parts: { makesLateSteps: false },
    fails: ['overtaken'],
  },
  { does: 'acknowledges what failed', parts: { failed: 200 }, fails: ['failed-effect'] },
  {
    does: 'skips a document for its version',
    parts: {
      isOutdated: (held, next) =>
        next.object === 'document_acceptance'
          ? String(next.version) <= String(held.version)
          : right.isOutdated(held, next),
    },
    fails: ['document-not-skipped', 'moves-forward'],
  },
  {
    does: 'orders by numbered versions alone',
    parts: {
      isOutdated: (held, next) => typeof next.version === 'number' && right.isOutdated(held, next),
    },
    fails: ['moves-forward'],
  },
  {
    does: 'refuses records without a version',
    parts: failing(({ type, data }) => type === 'session.completed' && !('version' in data.object)),
    fails: ['every-type', 'unversioned'],
  },
  {
    does: 'wants the payment before its refund',
    parts: failing(({ type }) => type === 'refund.completed', 409),
    fails: ['every-type', 'any-order'],
  },
  {
    does: 'refuses types that it does not know',
    parts: failing(({ type }) => !known.has(type)),
    fails: ['unknown-type'],
  },
  {
    does: 'refuses fields that it does not know',
    parts: failing(hasNewField),
    fails: ['unknown-field'],
  },
  {
    does: 'refuses codes that it does not know',
    parts: failing(({ data }) => data.object.failure_code === 'bank_on_holiday'),
    fails: ['unknown-value'],
  },
  {
    does: 'fails where a field is null',
    parts: failing(
      ({ data: { object } }) => object.object === 'payment' && object.description === null,
      500,
    ),
    fails: ['null-fields'],
  },
  {
    does: 'refuses what it has no use for',
    parts: failing(({ type }) => type === 'dispute.closed', 404),
    fails: ['every-type'],
  },
  {
    does: 'takes small bodies alone',
    parts: { check: unless(({ raw }) => (raw.length > 16_384 ? 413 : null)) },
    fails: ['large-body'],
  },
  {
    does: 'reads the header by one spelling',
    parts: {
      check: unless(({ header, request: { rawHeaders } }) =>
        header !== undefined && !rawHeaders.includes('service-signature') ? 401 : null,
      ),
    },
    fails: ['header-case'],
  },
  {
    does: 'wants its type of content to the letter',
    parts: {
      check: unless(({ request: { headers } }) =>
        headers['content-type'] === 'application/json' ? null : 415,
      ),
    },
    fails: ['content-type'],
  },
  {
    does: 'answers after its work, and the work is long',
    parts: { waits: () => 2_000 },
    fails: ['in-time'],
    limitMs: 500,
  },
  {
    does: 'is slow where many come',
    // Each takes a while, so that those of one moment meet on a busy machine too.
    parts: { waits: (together) => (together > 4 ? 3_000 : 50) },
    fails: ['in-time-together'],
    limitMs: 1_500,
  },
  { does: 'redirects', parts: { answers: 308 }, fails: ['no-redirect'] },
  { does: 'refuses everything', parts: { check: () => 401 }, fails: ['acknowledges'] },
];
