import { type ReactNode, useState } from 'react';

interface FoldProps {
  /** What is always seen. */
  readonly summary: ReactNode;
  /** In the page once it was opened. */
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
