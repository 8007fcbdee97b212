/** The one catalog of what people read of settings and records: a label, a kind and a group for each field. */

/** How a value is shown, and taken from a form. */
export type FieldKind =
  | 'money'
  | 'seconds'
  | 'hours'
  | 'days'
  | 'basis_points'
  | 'percent'
  | 'score'
  | 'count'
  | 'switch'
  | 'feature'
  | 'choice'
  | 'person'
  | 'role'
  | 'act'
  | 'state'
  | 'time'
  | 'date'
  | 'record'
  | 'list'
  | 'text'
  /** Read letter by letter: an address, an issuer. */
  | 'exact';

export interface Field {
  readonly label: string;
  readonly kind: FieldKind;
  readonly group: string;
  /** Behind a number: `requests a minute`. */
  readonly unit?: string;
  /** The word where there is no value; absent: `none`. */
  readonly none?: string;
  /** The words of a closed list. */
  readonly choices?: Readonly<Record<string, string>>;
}

/** Names that are written in capitals, and others that are not as they are spelled. */
const spelled: Readonly<Record<string, string>> = {
  api: 'API',
  csv: 'CSV',
  email: 'e-mail',
  fbo: 'FBO',
  id: 'ID',
  ids: 'IDs',
  json: 'JSON',
  pin: 'PIN',
  qr: 'QR',
  rtp: 'RTP',
  uri: 'address',
  uris: 'addresses',
  url: 'address',
  urls: 'addresses',
};

/** A name of the service in words: `pending_outgoing` as `pending outgoing`, `regulation_e` as `Regulation E`. */
export const plainWords = (name: string): string =>
  name
    .split(/[_\s]+/)
    .map((word) => spelled[word] ?? word)
    .join(' ')
    .replace(/\bregulation e\b/i, 'Regulation E')
    .replace(/\blast4\b/, 'last four digits');

export const capitalized = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** A label within a sentence: `Daily limit` as `daily limit`, while `PIN locked` stays as it is. */
export const within = (label: string): string =>
  /^[A-Z][a-z]/.test(label) && !label.startsWith('Regulation E')
    ? `${label.slice(0, 1).toLowerCase()}${label.slice(1)}`
    : label;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const wireId = /^[a-z]+_[0-9a-f]{32}$/;
const digest = /^[0-9a-f]{40,128}$/;

/** Whether a text is an id, which nobody reads. */
export const isId = (text: string): boolean =>
  uuid.test(text) || wireId.test(text) || digest.test(text);

/** The digits at the end of an id tell one from another: those before them are the time. */
const lastDigits = 6;

/** An id as its kind and its last digits; a digest or another long text as its beginning and end. */
export function shortened(id: string): string {
  if (id.length <= 20) return id;
  const [kind = '', digits] = id.split('_', 2);
  const beginning = digits === undefined ? kind.slice(0, lastDigits) : `${kind}_`;
  return `${beginning}…${id.slice(-lastDigits)}`;
}
