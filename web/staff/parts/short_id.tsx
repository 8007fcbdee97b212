import { CopyButton } from '@mantine/core';

/** The digits at the end of an id tell one from another: those before them are the time. */
const lastDigits = 6;

/** An id as its kind and its last digits; a digest or another long text as its beginning and end. */
export function shortened(id: string): string {
  if (id.length <= 20) return id;
  const [kind = '', digits] = id.split('_', 2);
  const beginning = digits === undefined ? kind.slice(0, lastDigits) : `${kind}_`;
  return `${beginning}…${id.slice(-lastDigits)}`;
}

/** An id, short, whole where the pointer rests; a press copies it. */
export const ShortId = ({ id }: { readonly id: string }) => (
  <CopyButton value={id}>
    {({ copied, copy }) => (
      <button
        type="button"
        className="short-id"
        title={id}
        aria-label={copied ? 'Copied' : `Copy ${id}`}
        onClick={copy}
      >
        {copied ? 'Copied' : shortened(id)}
      </button>
    )}
  </CopyButton>
);
