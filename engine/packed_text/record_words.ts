import { openDictionary } from './dictionary.ts';
import { words } from './words.ts';

/** JSON of the API's records, packed and unpacked by the words of events. */
export const recordWords = openDictionary(words);

/** SQL reads a record's id in the first characters, and a first version in the last. */
const headLength = 64;
const tailLength = '"version":1}'.length;

/** A reply as its key stores it; `recordWords` unpacks it. */
export const packReply = (text: string): string =>
  text.length < 2 * headLength
    ? text
    : text.slice(0, headLength) +
      recordWords.pack(text.slice(headLength, -tailLength)) +
      text.slice(-tailLength);
