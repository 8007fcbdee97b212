import type { ProvokeStep } from '../../errors/steps.ts';

/** A text as one word of a shell; variables in it stay variables. */
function word(text: string): string {
  if (/^[\w/.:=-]+$/.test(text)) return text;
  if (!/[$']/.test(text)) return `'${text}'`;
  return `"${text.replaceAll(/["\\`]/g, '\\$&')}"`;
}

const json = "-H 'Content-Type: application/json'";
const bearer = '-H "Authorization: Bearer $TOKEN"';

/** Everything of a call before its path. */
function headOf({ form, without }: ProvokeStep): string {
  if (form || without === 'token') return 'curl -s "$PAY_BASE_URL"';
  return without === 'key' ? `curl -s ${bearer} ${json} "$PAY_BASE_URL"` : 'api ';
}

function callOf(step: ProvokeStep): string {
  const { method, path, body, form = {} } = step;
  const parts = [
    `${headOf(step)}${word(path)}`,
    ...(method ? [`-X ${method}`] : []),
    ...(body ? [`-d ${word(JSON.stringify(body))}`] : []),
    ...Object.entries(form).map(([name, value]) => `-d ${word(`${name}=${value}`)}`),
  ];
  return parts.join(' ');
}

/** A step as a reader of the quickstart types it, with its `api` and `pick`. */
export function shellOf(step: ProvokeStep): string {
  const call = callOf(step);
  if (step.times) return `for i in $(seq ${step.times}); do ${call}; echo; done`;
  const [[first, place] = [], ...others] = Object.entries(step.keep ?? {});
  if (first === undefined) return call;
  if (others.length === 0) return `${first}=$(${call} | pick ${word(`${place}`)})`;
  const picks = Object.entries(step.keep ?? {}).map(
    ([name, at]) => `${name}=$(echo "$REPLY" | pick ${word(at)})`,
  );
  return [`REPLY=$(${call})`, ...picks].join('\n');
}

/** Values that no customer has yet. */
export const freshValues = [
  'REF=new-$RANDOM-$RANDOM',
  'MOBILE=+1415555$((RANDOM % 9000 + 1000))',
].join('\n');
