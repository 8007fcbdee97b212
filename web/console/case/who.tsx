import { Code } from '@mantine/core';
import { useSession } from '../../portal/api/session.tsx';
import { Mark } from '../../portal/parts/state_badge.tsx';
import { inWords } from '../../portal/parts/tell.ts';
import { capitalized } from '../desk/words.ts';

/** Tells whether somebody, by kind and id, is who is signed in: `person 019c…`. */
export function useIsMe(): (actor: string) => boolean {
  const { person } = useSession();
  return (actor) => person !== null && actor === `person ${person.id}`;
}

/** Whoever acts, by kind and id. */
export function Who({ actor }: { readonly actor: string }) {
  const isMe = useIsMe();
  if (isMe(actor)) return <Mark tone="plain" text="you" />;
  const [kind = '', id = ''] = actor.split(' ');
  return (
    <>
      {capitalized(inWords(kind))} <Code>{id}</Code>
    </>
  );
}
