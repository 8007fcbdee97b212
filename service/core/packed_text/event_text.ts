import { freeCodes } from './dictionary.ts';
import { recordWords } from './record_words.ts';

/**
 * The text of an event as it is stored. Three quarters of it are the names of fields and words that repeat,
 * and of the rest one half stands in columns of its row: a packed text has a code for each. It unpacks to the
 * very same bytes.
 */
declare const isPacked: unique symbol;
export type Packed = string & { readonly [isPacked]: true };

/** What an event's row says besides its text. */
interface EventFacts {
  readonly id: string;
  readonly created_at: string;
  readonly object_id: string;
}

const [idCode, objectCode, timeCode] = freeCodes;

/** As public ids show it. */
const digitsOf = (uuid: string): string => uuid.replaceAll('-', '');

const endOfHead = '"data":{"object":{"id":"';
/** The texts of a type begin alike: each beginning is packed once. */
const heads = new Map<string, string>();
const maximumHeads = 1_000;

function packedHead(head: string): string {
  const known = heads.get(head);
  if (known !== undefined) return known;
  const packed = recordWords.pack(head);
  if (heads.size < maximumHeads) heads.set(head, packed);
  return packed;
}

/** The words come last: the end of a word's code may look like the beginning of an id. @param text JSON text */
export function packEvent(text: string, { id, created_at, object_id }: EventFacts): Packed {
  const found = text.indexOf(endOfHead);
  const end = found < 0 ? 0 : found + endOfHead.length;
  const head = text.slice(0, end).replace(digitsOf(id), idCode).replace(created_at, timeCode);
  const rest = text
    .slice(end)
    .replace(digitsOf(object_id), objectCode)
    .replaceAll(created_at, timeCode);
  return (packedHead(head) + recordWords.pack(rest)) as Packed;
}

/** An event's row, as far as its text is made from it. */
export interface StoredText extends EventFacts {
  readonly body: Packed;
}

/** The text that was packed, or that was stored before texts were: what is signed and sent. */
export const unpackEvent = ({ id, created_at, object_id, body }: StoredText): string =>
  recordWords.unpack(body, {
    [idCode]: digitsOf(id),
    [objectCode]: digitsOf(object_id),
    [timeCode]: created_at,
  });
