import type { LegalText } from '@tenant-payments/contract/resources/documents.ts';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { usePage } from '../../ui/page_context.ts';
import { Markdown } from '../documents/markdown.tsx';
import { useSession } from '../session/session.ts';

/** What is to be accepted, or in force, word for word; each document unfolds in place. */
export function DocumentList() {
  const { texts, locale } = usePage();
  const { call } = useSession();
  const [documents, setDocuments] = useState<readonly LegalText[]>([]);
  const [isLost, setLost] = useState(false);
  const fetchTexts = () => {
    setLost(false);
    void call('readDocuments', {}).then((answer) =>
      answer.ok ? setDocuments(answer.value.documents) : setLost(true),
    );
  };
  useEffect(fetchTexts, []);
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
      {documents.map(({ document_type, version, title, text }) => (
        <details key={document_type} class="document">
          <summary>
            <span>
              {title[locale]}
              <small>{texts.documents.version(version)}</small>
            </span>
          </summary>
          <div class="document-text">
            <Markdown text={text[locale]} />
          </div>
        </details>
      ))}
    </div>
  );
}
