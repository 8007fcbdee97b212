import type { DocumentVersion } from '@tenant-payments/contract/resources/documents.ts';
import type { Token } from 'marked';
import { useEffect, useState } from 'preact/hooks';
import type { Success } from '../session/api.ts';
import { useSession } from '../session/session.ts';
import { loadReader } from './load_reader.ts';

type ShownDocument = Success<'readDocuments'>['documents'][number];

/** The documents that a page shows: the customer accepts exactly these versions (rules/documents#19). */
export interface Shown {
  readonly documents: readonly ShownDocument[];
  readonly tokensOf: (text: string) => readonly Token[];
  /** The documents are to be accepted; else they are in force. */
  readonly isWaiting: boolean;
  /** The address of a sample statement as PDF. */
  readonly sampleUrl: string;
}

export interface Reading {
  /** Null until the documents are loaded. */
  readonly shown: Shown | null;
  /** Why loading failed; null: it has not. */
  readonly lost: 'offline' | 'service' | null;
  /** How often they were fetched: as the key of a component it starts the component anew. */
  readonly round: number;
  readonly fetchAgain: () => void;
}

/** Loads the documents of the session when the page opens, and again by `fetchAgain`. */
export function useDocuments(): Reading {
  const { call } = useSession();
  const [shown, setShown] = useState<Shown | null>(null);
  const [lost, setLost] = useState<Reading['lost']>(null);
  const [round, setRound] = useState(0);
  const fetchAgain = () => {
    setShown(null);
    setLost(null);
    setRound((count) => count + 1);
    void Promise.all([call('readDocuments', {}), loadReader()]).then(([answer, reader]) => {
      if (!answer.ok) return setLost(answer.failure.kind === 'offline' ? 'offline' : 'service');
      if (reader === null) return setLost(navigator.onLine ? 'service' : 'offline');
      const { documents, is_waiting: isWaiting, sample_statement_url: sampleUrl } = answer.value;
      setShown({ documents, isWaiting, sampleUrl, tokensOf: reader.tokensOf });
    });
  };
  useEffect(fetchAgain, []);
  return { shown, lost, round, fetchAgain };
}

/** The versions of the documents that were shown, as they are sent with the acceptance. */
export const versionsOf = ({ documents }: Shown): DocumentVersion[] =>
  documents.map(({ document_type, version }) => ({ document_type, version }));
