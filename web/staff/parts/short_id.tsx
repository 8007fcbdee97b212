import { CopyButton } from '@mantine/core';

/** The digits at the end of an id tell one from another: those before them are the time. */
const lastDigits = 6;

/** An id as its kind and its last digits. */
export const shortened = (id: string): string =>
  id.length > 20 ? `${id.split('_', 1)[0]}_…${id.slice(-lastDigits)}` : id;

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
