import type { DocumentType } from '@tenant-payments/contract/resources/documents.ts';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { usePage } from '../../ui/page_context.ts';
import type { DocumentTexts } from '../documents/en.ts';
import type { Locale } from '../texts/locale.ts';

export interface ListedDocument {
  readonly document_type: DocumentType;
  readonly version: string;
}

const load: Readonly<Record<Locale, () => Promise<{ documentTexts: DocumentTexts }>>> = {
  en: () => import('../documents/en.ts'),
  es: () => import('../documents/es.ts'),
};

/** The documents; each one unfolds in place. */
export function DocumentList({ documents }: { readonly documents: readonly ListedDocument[] }) {
  const { texts, locale } = usePage();
  const [words, setWords] = useState<DocumentTexts | null>(null);
  const [isLost, setLost] = useState(false);
  const fetchTexts = () => {
    setLost(false);
    load[locale]().then(
      ({ documentTexts }) => setWords(documentTexts),
      () => setLost(true),
    );
  };
  useEffect(fetchTexts, [locale]);
  if (isLost)
    return (
      <>
        <Notice tone="bad" title={texts.trouble.offlineTitle}>
          {texts.trouble.offline}
        </Notice>
        <Button look="secondary" onClick={fetchTexts}>
          {texts.common.retry}
        </Button>
      </>
    );
  return (
    <div class="documents">
      {documents.map(({ document_type, version }) => (
        <details key={document_type} class="document">
          <summary>
            <span>
              {texts.documents.names[document_type]}
              <small>{texts.documents.version(version)}</small>
            </span>
          </summary>
          <div class="document-text">
            {words?.[document_type].map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </details>
      ))}
    </div>
  );
}
