import { Closed } from '@tenant-payments/contract/core/schema.ts';
import { epochMs, type Instant } from '@tenant-payments/engine/time/instant.ts';
import Type, { type Static } from 'typebox';
import { type Contents, contentOf } from '../../../rails/mail/content.ts';
import type { MessageLocale } from '../../../rails/messages.ts';
import { dollars } from '../../statements/words.ts';

/**
 * Every message to a customer in both languages, since the customer's is not stored. `{name}` is
 * filled in: `tenant` and `when` always, the others from the message's facts.
 */
const texts = {
  code: {
    en: {
      subject: '{code} is your code for {tenant}',
      body: 'Enter this code on the page where you asked for it:\n\n{code}\n\nIt works once, for ten minutes. Give it to nobody, also not to somebody who says that they work for {tenant}. If you did not ask for it, you need not do anything.',
      short: '{code} is your code for {tenant}. It works for 10 minutes. Give it to nobody.',
    },
    es: {
      subject: '{code} es su código para {tenant}',
      body: 'Escriba este código en la página donde lo pidió:\n\n{code}\n\nSirve una sola vez, durante diez minutos. No se lo dé a nadie, tampoco a quien diga que trabaja para {tenant}. Si usted no lo pidió, no tiene que hacer nada.',
      short: '{code} es su código para {tenant}. Sirve 10 minutos. No se lo dé a nadie.',
    },
  },
  owner_link: {
    en: {
      subject: '{business} asks you to verify your identity',
      body: 'Hello {owner},\n\n{business} opens a digital account with {tenant} and has named you as an owner or as a person who controls it. Federal law requires that we verify who you are. It takes a few minutes; have your Social Security number or ITIN at hand.\n\n[Verify my identity]({link})\n\nThe link is yours alone and works for seven days. If you do not know {business}, do not open it.',
      short: '{business} asks you to verify your identity for its account with {tenant}: {link}',
    },
    es: {
      subject: '{business} le pide verificar su identidad',
      body: 'Hola, {owner}:\n\n{business} abre una cuenta digital con {tenant} y ha indicado que usted es propietario o la controla. La ley federal nos exige verificar quién es usted. Toma unos minutos; tenga a mano su número de Seguro Social o ITIN.\n\n[Verificar mi identidad]({link})\n\nEl enlace es solo para usted y sirve siete días. Si no conoce a {business}, no lo abra.',
      short: '{business} le pide verificar su identidad para su cuenta con {tenant}: {link}',
    },
  },
  closing_begun: {
    en: {
      subject: 'Your account is being closed',
      body: 'On {when} {tenant} asked us to close your digital account. You can no longer pay, add money or withdraw. We will send the money that is left to your linked bank account, and we will tell you when we do. If you did not ask for this, contact {tenant} right away.',
    },
    es: {
      subject: 'Estamos cerrando su cuenta',
      body: 'El {when} {tenant} nos pidió cerrar su cuenta digital. Ya no puede pagar, añadir dinero ni retirarlo. Enviaremos el dinero que quede a su cuenta bancaria vinculada y le avisaremos cuando lo hagamos. Si usted no lo pidió, comuníquese de inmediato con {tenant}.',
    },
  },
  payout_held: {
    en: {
      subject: 'When we will send your money',
      body: 'Your digital account with {tenant} is being closed. We will send the money that is left to {bank}, but not before {until}, because this bank account was linked recently. If you did not link it, contact {tenant} right away.',
    },
    es: {
      subject: 'Cuándo enviaremos su dinero',
      body: 'Estamos cerrando su cuenta digital con {tenant}. Enviaremos el dinero que queda a {bank}, pero no antes del {until}, porque esta cuenta bancaria se vinculó hace poco. Si usted no la vinculó, comuníquese de inmediato con {tenant}.',
    },
  },
  payout_ordered: {
    en: {
      subject: 'We are sending your money',
      body: 'We are sending {amount} to {bank}. Once it arrives, your digital account with {tenant} will be closed. If this is not your bank account, contact {tenant} right away.',
    },
    es: {
      subject: 'Estamos enviando su dinero',
      body: 'Estamos enviando {amount} a {bank}. Cuando llegue, se cerrará su cuenta digital con {tenant}. Si esta no es su cuenta bancaria, comuníquese de inmediato con {tenant}.',
    },
  },
  late_credit: {
    en: {
      subject: 'Money was added to your account',
      body: 'On {when} we added {amount} to your digital account with {tenant}. It came from your bank after its request had ended. If you did not send it, contact {tenant}.',
    },
    es: {
      subject: 'Se añadió dinero a su cuenta',
      body: 'El {when} añadimos {amount} a su cuenta digital con {tenant}. Llegó de su banco cuando la solicitud ya había terminado. Si usted no lo envió, comuníquese con {tenant}.',
    },
  },
  pin_changed: {
    en: {
      subject: 'Your PIN was changed',
      body: 'The PIN of your digital account with {tenant} was changed on {when}. If you did not change it, contact {tenant} right away.',
    },
    es: {
      subject: 'Su PIN se cambió',
      body: 'El PIN de su cuenta digital con {tenant} se cambió el {when}. Si usted no lo cambió, comuníquese de inmediato con {tenant}.',
    },
  },
  pin_locked: {
    en: {
      subject: 'Your PIN is locked',
      body: 'After five wrong tries we locked the PIN of your digital account with {tenant} on {when}. To unlock it, set a new PIN in {tenant}. If these tries were not yours, contact {tenant} right away.',
    },
    es: {
      subject: 'Su PIN está bloqueado',
      body: 'Después de cinco intentos fallidos bloqueamos el {when} el PIN de su cuenta digital con {tenant}. Para desbloquearlo, elija un PIN nuevo en {tenant}. Si los intentos no fueron suyos, comuníquese de inmediato con {tenant}.',
    },
  },
  passkey_added: {
    en: {
      subject: 'A passkey was added',
      body: 'A passkey was added to your digital account with {tenant} on {when}. It can confirm payments in place of your PIN. If you did not add it, contact {tenant} right away.',
    },
    es: {
      subject: 'Se añadió una llave de acceso',
      body: 'El {when} se añadió una llave de acceso a su cuenta digital con {tenant}. Puede confirmar pagos en lugar de su PIN. Si usted no la añadió, comuníquese de inmediato con {tenant}.',
    },
  },
  passkey_removed: {
    en: {
      subject: 'A passkey was removed',
      body: 'A passkey was removed from your digital account with {tenant} on {when}. It can no longer confirm payments. If you did not ask for this, contact {tenant} right away.',
    },
    es: {
      subject: 'Se eliminó una llave de acceso',
      body: 'El {when} se eliminó una llave de acceso de su cuenta digital con {tenant}. Ya no puede confirmar pagos. Si usted no lo pidió, comuníquese de inmediato con {tenant}.',
    },
  },
  mobile_changed: {
    en: {
      subject: 'Your mobile number was changed',
      body: 'The mobile number of your digital account with {tenant} was changed on {when}. The new number ends in {last4}. If you did not change it, contact {tenant} right away.',
    },
    es: {
      subject: 'Su número de móvil se cambió',
      body: 'El número de móvil de su cuenta digital con {tenant} se cambió el {when}. El número nuevo termina en {last4}. Si usted no lo cambió, comuníquese de inmediato con {tenant}.',
    },
  },
  email_changed: {
    en: {
      subject: 'Your email address was changed',
      body: 'The email address of your digital account with {tenant} was changed on {when}. The new address is {email}. If you did not change it, contact {tenant} right away.',
    },
    es: {
      subject: 'Su correo electrónico se cambió',
      body: 'El correo electrónico de su cuenta digital con {tenant} se cambió el {when}. El nuevo es {email}. Si usted no lo cambió, comuníquese de inmediato con {tenant}.',
    },
  },
  statement_ready: {
    en: {
      subject: 'Your statement is ready',
      body: 'The statement of your digital account with {tenant} from {from} to {to} is ready. Open it in {tenant}. Please check it: if something in it is wrong, or you need to know more, tell {tenant} at the latest 60 days after this notice of {when}.',
    },
    es: {
      subject: 'Su estado de cuenta está listo',
      body: 'El estado de cuenta de su cuenta digital con {tenant} del {from} al {to} está listo. Ábralo en {tenant}. Revíselo: si algo no es correcto o necesita saber más, avise a {tenant} a más tardar 60 días después de este aviso del {when}.',
    },
  },
  terms_change: {
    en: {
      subject: 'The terms of your account change',
      body: 'The terms of your digital account with {tenant} change on {until}. {terms} This notice is from {when}. If you do not agree, you can close the account without a charge.',
    },
    es: {
      subject: 'Cambian las condiciones de su cuenta',
      body: 'Las condiciones de su cuenta digital con {tenant} cambian el {until}. {condiciones} Este aviso es del {when}. Si no está de acuerdo, puede cerrar la cuenta sin costo.',
    },
  },
  document_change: {
    en: {
      subject: 'A new version of {terms}',
      body: '{tenant} has published a new version of “{terms}”. It holds for your digital account from {until} on. Read it in {tenant}, which asks you to accept it. This notice is from {when}. If you do not agree, you can close the account without a charge.',
    },
    es: {
      subject: 'Una nueva versión de {condiciones}',
      body: '{tenant} publicó una nueva versión de «{condiciones}». Se aplica a su cuenta digital desde el {until}. Léala en {tenant}, que le pide aceptarla. Este aviso es del {when}. Si no está de acuerdo, puede cerrar la cuenta sin costo.',
    },
  },
  document_secured: {
    en: {
      subject: 'A new version of {terms}',
      body: '{tenant} has published a new version of “{terms}”. To keep your account or the system secure it holds for your digital account at once, since {until}. Read it in {tenant}, which asks you to accept it. This notice is from {when}. If you do not agree, you can close the account without a charge.',
    },
    es: {
      subject: 'Una nueva versión de {condiciones}',
      body: '{tenant} publicó una nueva versión de «{condiciones}». Para mantener seguros su cuenta o el sistema se aplica de inmediato a su cuenta digital, desde el {until}. Léala en {tenant}, que le pide aceptarla. Este aviso es del {when}. Si no está de acuerdo, puede cerrar la cuenta sin costo.',
    },
  },
} as const;

export type MessageKind = keyof typeof texts;
export const messageKinds = Object.keys(texts) as MessageKind[];

/** Their secret is known to the process alone that has made it, so they are handed over once. */
const onceKinds = ['code', 'owner_link'] as const;
export type OnceKind = (typeof onceKinds)[number];
export const isOnce = (kind: string): kind is OnceKind =>
  (onceKinds as readonly string[]).includes(kind);

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** The facts that texts can name; `bank` and `email` as the customer may see them, masked. */
export const Facts = Closed({
  amount: Type.Integer(),
  bank: Type.String(),
  email: Type.String(),
  last4: Type.String(),
  until: Type.String(),
  terms: Type.String(),
  condiciones: Type.String(),
  from: Type.String(),
  to: Type.String(),
});
type Facts = Static<typeof Facts>;
/** The facts that the text of this kind names. */
export type FactsOf<K extends MessageKind> = Pick<
  Facts,
  Names<(typeof texts)[K]['en' | 'es']['body']> & keyof Facts
>;

/** The facts that every text can name. */
interface Frame {
  readonly tenant: string;
  readonly when: Instant;
}

/** The secrets of a message that is handed over once, and never stored. */
interface Secrets {
  readonly code: string;
  readonly link: string;
  readonly business: string;
  readonly owner: string;
}

const languages = { en: 'en-US', es: 'es-US' } as const;

/** `November 21, 2026 at 9:30 AM ET`: the time of the bank, whose days count. */
const timeText = (instant: Instant, language: keyof typeof languages): string => {
  const style = { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/New_York' } as const;
  const text = new Intl.DateTimeFormat(languages[language], style).format(epochMs(instant));
  return `${text.replaceAll(/\s/g, ' ')} ET`;
};

/** `November 21, 2026` of a day. */
const dayText = (day: string, language: MessageLocale): string =>
  new Intl.DateTimeFormat(languages[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(day),
  );

type Given = Partial<Facts & Secrets> & Frame;

/** The facts that a text names, as they are read in this language. */
const shownIn = (facts: Given, language: MessageLocale) => ({
  ...facts,
  amount: facts.amount === undefined ? undefined : dollars(facts.amount),
  until: facts.until && timeText(facts.until, language),
  from: facts.from && dayText(facts.from, language),
  to: facts.to && dayText(facts.to, language),
  when: timeText(facts.when, language),
});

/** A message of this kind, worded. */
export function wordMessage(kind: MessageKind, facts: Given): Contents {
  const worded = (language: MessageLocale) =>
    contentOf(texts[kind][language], shownIn(facts, language));
  return { en: worded('en'), es: worded('es') };
}
