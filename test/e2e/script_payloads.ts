/** Texts that would run `canary()`, or leave an element, wherever a page took them for more than text. */
const shapes = [
  '<script>canary()</script>',
  '</title><script>canary()</script>',
  '</style><script>canary()</script>',
  '</script><script>canary()</script>',
  '</textarea><script>canary()</script>',
  '--><script>canary()</script>',
  ']]><script>canary()</script>',
  '<SCRIPT SRC=//localhost/canary.js></SCRIPT>',
  '<script type=module>canary()</script>',
  '<scr<script>ipt>canary()</script>',
  '<img src=x onerror=canary()>',
  '<img/src=x/onerror=canary()>',
  '"><img src=x onerror=canary()>',
  "'><img src=x onerror=canary()>",
  '`><img src=x onerror=canary()>',
  '<img src=`x` onerror=canary()>',
  '<svg onload=canary()>',
  '<svg/onload=canary()>',
  '<svg><script>canary()</script></svg>',
  '<svg><animate onbegin=canary() attributeName=x dur=1s>',
  '<svg><a href=javascript:canary()><text>x</text></a></svg>',
  '<math href=javascript:canary()>x</math>',
  '<body onload=canary()>',
  '<iframe src=javascript:canary()>',
  '<iframe srcdoc="<script>parent.canary()</script>">',
  '<object data=javascript:canary()>',
  '<embed src=javascript:canary()>',
  '<link rel=stylesheet href=//localhost/canary.css>',
  '<style>@import "//localhost/canary.css"</style>',
  '<style onload=canary()></style>',
  '<base href=//localhost/>',
  '<meta http-equiv=refresh content=0;url=javascript:canary()>',
  '<form action=javascript:canary()><button>x</button></form>',
  '<input autofocus onfocus=canary()>',
  '<details open ontoggle=canary()>',
  '<video><source onerror=canary()></video>',
  '<audio src=x onerror=canary()>',
  '<marquee onstart=canary()>',
  '<a href=javascript:canary()>x</a>',
  '<div style="animation-name:x" onanimationstart=canary()>',
  '<noscript><p title="</noscript><img src=x onerror=canary()>">',
  '<template><script>canary()</script></template>',
  '" onmouseover=canary() autofocus onfocus=canary() x="',
  "' onfocus=canary() autofocus x='",
  'javascript:canary()',
  'data:text/html,<script>parent.canary()</script>',
  '{{constructor.constructor("canary()")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the payload of a template engine
  '${canary()}',
  '";canary();//',
  '}</style><script>canary()</script>',
];

const inEntities = (text: string) =>
  text.replace(/[<>"'&]/g, (character) => `&#${character.charCodeAt(0)};`);

const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  inEntities,
  (text) => `\u202e\u0000${text}`,
  (text) => `${text}\r\n\r\n${text}`,
];

export const rawPayloads: readonly string[] = shapes;
export const payloads: readonly string[] = encodings.flatMap((encode) => shapes.map(encode));

/** What no page of ours has, and these texts would make. */
export const foreign =
  '#app :is(script, iframe, object, embed, base, math, style, link, meta, video, audio, marquee, template, animate), [onerror], [onload], [onfocus], [onmouseover], [ontoggle], [href^="javascript:"], [href^="data:text"]';
