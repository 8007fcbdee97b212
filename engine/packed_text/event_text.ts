import { digitsOf, idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import type { Instant } from '../time/instant.ts';
import { freeCodes } from './dictionary.ts';
import { recordWords } from './record_words.ts';

/**
 * The text of an event as it is stored. Three quarters of it are the names of fields and words that repeat,
 * and of the rest one half stands in columns of its row: a packed text has a code for each. It unpacks to the
 * very same bytes.
 */
declare const isPacked: unique symbol;
export type PackedText = string & { readonly [isPacked]: true };

/** The facts of an event's row besides its text. */
interface EventFacts {
  readonly id: string;
  readonly created_at: string;
  readonly object_id: string;
}

/** The parts of which an event's text is made. */
export interface TextParts {
  readonly id: string;
  readonly type: string;
  readonly environment: 'sandbox' | 'production';
  readonly at: Instant;
  readonly objectId: string;
  /** JSON text of the record after the change. */
  readonly object: string;
  /** JSON text of the earlier values; null where a record begins. */
  readonly previous: string | null;
}

type Head = Pick<TextParts, 'type' | 'environment'>;

const head = ({ type, environment }: Head, digits: string, at: string) =>
  `{"id":"${idPrefixes.event}_${digits}","object":"event","type":"${type}","api_version":"v1","environment":"${environment}","created_at":"${at}","data":{"object":`;
const rest = ({ object, previous }: TextParts) => `${object},"previous_attributes":${previous}}}`;

/** The text that is signed and sent. */
export const eventText = (parts: TextParts): string =>
  head(parts, digitsOf(parts.id), parts.at) + rest(parts);

const [idCode, objectCode, timeCode] = freeCodes;

/** The texts of a type begin alike, most of them up to the record's id: each beginning is packed once. */
const heads = new Map<string, string>();
const recordHead = '{"id":"';

function packedHead(event: Head, begun: string): string {
  const key = `${event.type} ${event.environment} ${begun}`;
  const known = heads.get(key);
  if (known !== undefined) return known;
  const packed = recordWords.pack(head(event, idCode, timeCode) + begun);
  heads.set(key, packed);
  return packed;
}

/** The event's text as it is stored. The words come last: the end of a code may look like an id's beginning. */
export function packEvent(parts: TextParts): PackedText {
  const begun = parts.object.startsWith(recordHead) ? recordHead : '';
  const unpacked = rest(parts)
    .slice(begun.length)
    .replace(digitsOf(parts.objectId), objectCode)
    .replaceAll(parts.at, timeCode);
  return (packedHead(parts, begun) + recordWords.pack(unpacked)) as PackedText;
}

/** An event's row, as far as its text is made from it. */
export interface StoredText extends EventFacts {
  readonly body: PackedText;
}

/** The text that was packed, or that was stored before texts were: what is signed and sent. */
export const unpackEvent = ({ id, created_at, object_id, body }: StoredText): string =>
  recordWords.unpack(body, {
    [idCode]: digitsOf(id),
    [objectCode]: digitsOf(object_id),
    [timeCode]: created_at,
  });

/** The record as an event shows it; as JSON text it is the very text that the event holds. */
export const recordIn = (event: StoredText): Readonly<Record<string, unknown>> =>
  JSON.parse(unpackEvent(event)).data.object;
