import type { CaseFile } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { createContext, useContext } from 'react';
import { useSession } from '../../staff/api/session.tsx';
import { ShortId } from '../../staff/parts/short_id.tsx';
import { Mark } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { capitalized } from '../desk/words.ts';

/** Tells whether somebody, by kind and id, is who is signed in: `person 019c…`. */
export function useIsMe(): (actor: string) => boolean {
  const { person } = useSession();
  return (actor) => person !== null && actor === `person ${person.id}`;
}

const PeopleContext = createContext<CaseFile['people']>([]);
/** Gives the names of the case's people to the parts of its page. */
export const PeopleProvider = PeopleContext.Provider;

/** Whoever acts: a person by email address, all others by kind and id. */
export function Who({ actor }: { readonly actor: string }) {
  const isMe = useIsMe();
  const people = useContext(PeopleContext);
  if (isMe(actor)) return <Mark tone="plain" text="you" />;
  const [kind = '', id = ''] = actor.split(' ');
  const known = people.find((person) => person.id === id);
  if (known) return known.email;
  return (
    <>
      {capitalized(inWords(kind))} <ShortId id={id} />
    </>
  );
}
