import { openDictionary } from './dictionary.ts';
import { words } from './words.ts';

/** JSON of the API's records, packed and unpacked by the words of events. */
export const recordWords = openDictionary(words);
