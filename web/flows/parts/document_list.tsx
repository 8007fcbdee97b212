import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/button.tsx';
import { newYorkDay } from '../../ui/dates.ts';
import { Waiting } from '../../ui/frame.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Markdown } from '../documents/markdown.tsx';
import type { Reading, Shown } from '../documents/use_documents.ts';
import { usePage } from '../use_page.ts';

/** The documents to be accepted, or in force, word for word; each unfolds in place. */
export function DocumentList({ documents, tokensOf }: Shown) {
  const { texts, locale } = usePage();
  return (
    <div class="documents">
      {documents.map(({ document_type, version, title, text, effective_at }) => (
        <details key={document_type} class="document">
          <summary>
            <span>
              {title[locale]}
              <small>{texts.documents.version(version)}</small>
              {effective_at !== null && (
                <small>{texts.documents.holdsFrom(newYorkDay(effective_at, locale))}</small>
              )}
            </span>
          </summary>
          <div class="document-text">
            <Markdown tokens={tokensOf(text[locale])} />
          </div>
        </details>
      ))}
    </div>
  );
}

interface OnceReadProps {
  readonly reading: Reading;
  readonly children: (shown: Shown) => ComponentChildren;
}

/** Shows its children only once the texts are on the page, for they answer to those. */
export function OnceRead({ reading, children }: OnceReadProps) {
  const { texts } = usePage();
  const { shown, lost, fetchAgain } = reading;
  if (shown) return <>{children(shown)}</>;
  if (lost === null) return <Waiting />;
  return (
    <>
      <Notice tone="bad" title={texts.trouble[`${lost}Title`]}>
        {texts.trouble[lost]}
      </Notice>
      <Button look="secondary" onClick={fetchAgain}>
        {texts.common.retry}
      </Button>
    </>
  );
}
