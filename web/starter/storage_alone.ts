import { standInForStorage } from './storage.ts';

/** Stands first in each page of the documentation. */
standInForStorage();
