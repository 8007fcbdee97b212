import { type ReactNode, useState } from 'react';

interface FoldProps {
  /** The line that always shows. */
  readonly summary: ReactNode;
  /** The details, which come into the page when it is first opened. */
  readonly children: ReactNode;
}

/** Details that are folded away, and made only when somebody wants them. */
export function Fold({ summary, children }: FoldProps) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details
      className="fold"
      onToggle={({ currentTarget }) => currentTarget.open && setWasOpen(true)}
    >
      <summary>{summary}</summary>
      {wasOpen && children}
    </details>
  );
}
