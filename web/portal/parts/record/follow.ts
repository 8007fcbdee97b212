import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { openFeed } from '../../traffic/live/feed.ts';

/** Reads a record and its moves again when it has changed elsewhere. */
export function useFollowed(id: string, mayFollow: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!mayFollow) return;
    const readAgain = () =>
      void queries.invalidateQueries({
        predicate: ({ queryKey: [, input] }) => (input as { id?: unknown } | undefined)?.id === id,
      });
    return openFeed(['records'], {
      onState: () => {},
      onFresh: readAgain,
      onMessages: (messages) => {
        if (messages.some(({ row }) => (row as { id?: unknown }).id === id)) readAgain();
      },
    });
  }, [id, mayFollow, queries]);
}
