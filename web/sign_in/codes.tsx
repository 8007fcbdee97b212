import { useState } from 'preact/hooks';
import { Actions, Button } from '../ui/button.tsx';
import { Step } from '../ui/step.tsx';
import { words } from './texts.ts';

const fileName = 'tenant-payments-recovery-codes.txt';

/** Made in the browser: the codes go through no server again. */
function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

interface CodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** Ten recovery codes, this once. */
export function Codes({ codes, onKept }: CodesProps) {
  const [isCopied, setCopied] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <Step name="codes" title={words.codes.title}>
      <p class="lead">{words.codes.text}</p>
      <ul class="codes" aria-label={words.codes.list}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p role="status">{isCopied && words.codes.copied}</p>
      <Actions>
        <Button look="secondary" onClick={() => void copy()}>
          {words.codes.copy}
        </Button>
        <Button look="secondary" onClick={() => download(text)}>
          {words.codes.download}
        </Button>
        <Button onClick={onKept}>{words.codes.kept}</Button>
      </Actions>
    </Step>
  );
}
