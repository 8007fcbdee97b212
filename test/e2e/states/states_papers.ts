import type { Page } from 'playwright-core';
import type { IdentityDocumentKind } from '../../../contract/core/identity_documents.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import {
  about,
  address,
  checkCode,
  codeStep,
  deadLink,
  next,
  ownerView,
} from './states_onboarding.ts';
import { filled, pressed, type Step, type Walk } from './walker.ts';

/**
 * The documents of an identity check by hand. The service of these walks has a provider that takes none, so the test
 * asks for them in its place.
 */

const wanted: readonly IdentityDocumentKind[] = ['photo_id', 'proof_of_address'];

/** The answers in place of the service's at the documents of a page. */
interface Desk {
  readonly given: Set<IdentityDocumentKind>;
  /** Answers the next file; null: it is taken. */
  refusal: string | null;
  /** Ends when the held file arrives; until then none has. */
  arriving: Promise<void>;
}

const desks = new WeakMap<Page, Desk>();
const deskOf = (page: Page): Desk => {
  const desk = desks.get(page);
  if (!desk) throw new Error('no documents are asked for here');
  return desk;
};

async function askForDocuments(page: Page): Promise<void> {
  const desk: Desk = { given: new Set(), refusal: null, arriving: Promise.resolve() };
  desks.set(page, desk);
  let last: ReplyBody = {};
  const shown = (view: ReplyBody): ReplyBody => {
    view.onboarding.identity_documents = { wanted, given: [...desk.given] };
    return view;
  };
  await page.route('**/hosted/api/**', async (route) => {
    const reply = await route.fetch();
    const body: ReplyBody = await reply.json();
    const view = body.view ?? body;
    if (view.object === 'hosted_view') last = shown(view);
    await route.fulfill({ response: reply, json: body });
  });
  await page.route('**/hosted/api/identity-documents', async (route) => {
    await desk.arriving;
    const { kind } = route.request().postDataJSON();
    const { refusal: reason } = desk;
    desk.refusal = null;
    const error = { code: 'parameter_invalid', param: 'file', details: { reason } };
    if (reason) return route.fulfill({ status: 400, json: { error } });
    desk.given.add(kind);
    return route.fulfill({ json: shown(last) });
  });
}

const openAsked: Step[1] = async ({ web, page, open }) => {
  await askForDocuments(page);
  await open((await web.api.customer('individual')).onboarding_session.token);
};

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const photo = { name: 'passport.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') };
const pdf = (bytes: number) => ({
  name: 'statement.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.alloc(bytes, '%PDF-1.4 '),
});
const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('none') };

type File = typeof photo;
/** Gives a file for a document. */
const give =
  (kind: IdentityDocumentKind, file: File, before: (desk: Desk) => void = () => {}): Step[1] =>
  async ({ page }) => {
    before(deskOf(page));
    await page.locator(`#paper_${kind}`).setInputFiles(file);
  };

let arrive = () => {};
const onItsWay = (desk: Desk) => {
  desk.arriving = new Promise((resolve) => {
    arrive = resolve;
  });
};
const tooLarge = 10 * 1024 * 1024 + 1;

const papers: readonly Step[] = [
  ['about', openAsked, (t) => t.onboarding.aboutTitle],
  ['address', filled(about), (t) => t.onboarding.addressTitle],
  ['send_code', filled(address), (t) => t.codes.title.mobile],
  codeStep,
  ['none', checkCode('000000'), (t) => t.papers.title],
  [
    'missing',
    next,
    (t) => t.papers.missing(`${t.papers.names.photo_id}, ${t.papers.names.proof_of_address}`),
  ],
  ['other_type', give('photo_id', text), (t) => t.refusals.not_supported ?? ''],
  ['too_large', give('photo_id', pdf(tooLarge)), (t) => t.refusals.too_large ?? ''],
  [
    'damaged',
    give('photo_id', photo, (desk) => {
      desk.refusal = 'damaged';
    }),
    (t) => t.refusals.damaged ?? '',
  ],
  ['sending', give('photo_id', photo, onItsWay), (t) => t.papers.sending],
  ['given', async () => arrive(), (t) => t.papers.given],
  ['both', give('proof_of_address', pdf(2_000)), () => 'statement.pdf'],
  ['replaced', give('proof_of_address', { ...pdf(3_000), name: 'newer.pdf' }), () => 'newer.pdf'],
  [
    'documents',
    async (walker) => {
      await walker.page.unrouteAll({ behavior: 'ignoreErrors' });
      await next(walker);
    },
    (t) => t.documents.title,
  ],
];

/** An owner of a business gives a photo ID between the answers. */
const owner: readonly Step[] = [
  [
    'welcome',
    async ({ page, open }) => {
      const given: string[] = [];
      const view = () => ({ ...ownerView, identity_documents: { wanted: ['photo_id'], given } });
      await page.route('**/hosted/api/owner/open', (route) => route.fulfill({ json: view() }));
      await page.route('**/hosted/api/owner/identity-documents', (route) => {
        given.push('photo_id');
        return route.fulfill({ json: view() });
      });
      await page.route('**/hosted/api/owner', (route) =>
        route.fulfill({ json: { ...view(), status: 'pending' } }),
      );
      await open(deadLink(), '/owner');
    },
    (t) => t.owner.welcomeTitle('Corner Cafe LLC'),
  ],
  ['about', pressed((t) => t.onboarding.start), (t) => t.onboarding.aboutTitle],
  ['none', filled(about), (t) => t.papers.title],
  [
    'given',
    async ({ page }) => page.locator('#paper_photo_id').setInputFiles(photo),
    (t) => t.papers.given,
  ],
  ['address', next, (t) => t.onboarding.addressTitle],
  ['done', filled(address, (t) => t.owner.submit), (t) => t.owner.doneTitle],
];

export const paperWalks: readonly Walk[] = [
  { name: 'papers', steps: papers },
  { name: 'owner_papers', steps: owner },
];
