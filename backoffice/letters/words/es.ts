import { shownPhone } from '@tenant-payments/contract/core/institutions.ts';
import { spanish as statement } from '@tenant-payments/service/resources/statements/texts/es.ts';
import { spanishDay } from '@tenant-payments/service/resources/statements/texts/spanish_days.ts';
import type { LetterWords } from './letter_words.ts';

const finished = 'Hemos terminado la investigación de su aviso';
const compared = {
  transaction: 'Comparamos su aviso con nuestros registros del movimiento indicado arriba y',
  account: 'Comparamos su aviso con nuestros registros de su cuenta y',
};
const outcomes = {
  approved: 'lo decidimos a su favor',
  partially_approved: 'lo decidimos en parte a su favor',
  denied: 'no lo decidimos a su favor',
};
const kinds = {
  error: 'el mismo error',
  unauthorized_transfer: 'la misma transferencia no autorizada',
  purchase_dispute: 'la misma compra',
};
const as = { provisional: ' como abono provisional', final: '' };
const named = { provisional: 'abono provisional', final: 'abono' };

/** The Spanish letter: the English one, sentence by sentence. */
export const spanish: LetterWords = {
  language: 'es-US',
  other: { language: 'en-US', text: 'This letter is also available in English.' },
  longDay: spanishDay,
  page: statement.page,
  columns: ['Concepto', 'Detalle'],
  titles: {
    late_notice: 'Sobre su aviso tardío',
    reasserted: 'Sobre su aviso repetido',
    provisional_credit: 'Aviso de abono provisional',
    correction: 'Aviso de corrección',
    result: 'Aviso de resultado',
    denial: 'Aviso de denegación',
  },
  dear: (name) => `Estimado/a ${name}:`,
  sincerely: (issuer) => `Atentamente, ${issuer}`,
  contact: ({ name, address, phone, hours }) =>
    `llame al ${shownPhone(phone)} (${hours}) o escriba a ${name}, ${address}`,
  question: (contact) =>
    `Si tiene alguna pregunta, ${contact}, e indique el número de reclamo de arriba.`,
  law: {
    deadlines: 'Esta carta es un aviso según la Regulación E, 12 CFR 1005.11.',
    liability:
      'Esta carta es un aviso según la Regulación E: 12 CFR 1005.6 limita su responsabilidad.',
  },
  noticeTypes: {
    error: 'Error',
    unauthorized_transfer: 'Transferencia no autorizada',
    purchase_dispute: 'Reclamo por una compra',
  },
  types: statement.types,
  subject: {
    heading: 'Su aviso',
    dispute: 'Número de reclamo',
    type: 'Tipo de aviso',
    received: 'Aviso recibido',
    transaction: 'Movimiento',
    none: 'Ninguno indicado',
    date: 'Fecha del movimiento',
    amount: 'Importe del movimiento',
    party: 'Otra parte',
    payment: 'Número de pago',
    transactionId: 'Número de movimiento',
    disputed: 'Importe reclamado',
  },
  findings: {
    error: {
      approved: `${finished} y encontramos que hubo un error.`,
      partly: `${finished} y encontramos que hubo un error, pero por un importe distinto del que usted nos indicó.`,
      denied: `${finished} y encontramos que no hubo ningún error.`,
      why: (of) => `${compared[of]} encontramos que son correctos.`,
    },
    unauthorized_transfer: {
      approved: `${finished} y encontramos que la transferencia no fue autorizada.`,
      partly: `${finished} y encontramos una transferencia no autorizada, pero por un importe distinto del que usted nos indicó.`,
      denied: `${finished} y no encontramos ninguna transferencia no autorizada.`,
      why: (of) =>
        `${compared[of]} encontramos que ninguna transferencia se hizo sin autorización.`,
    },
    purchase_dispute: {
      approved: `${finished} y lo decidimos a su favor.`,
      partly: `${finished} y lo decidimos en parte a su favor.`,
      denied: `${finished} y no lo decidimos a su favor.`,
      why: (of) => `${compared[of]} no encontramos motivo para abonarle la compra.`,
    },
  },
  found: {
    heading: 'Lo que encontramos',
    due: (award, disputed) =>
      `Encontramos que le corresponden ${award}${disputed === null ? '' : ` de los ${disputed} reclamados`}.`,
    borne: `${finished} y encontramos que la transferencia no fue autorizada, pero que usted la asume.`,
    withdrawn: 'Usted retiró su aviso, así que hemos terminado la investigación.',
    refunded:
      'El importe reclamado le fue reembolsado, así que hemos terminado la investigación de su aviso.',
  },
  documents: {
    heading: 'Su derecho a los documentos',
    paragraphs: (contact) => [
      `Puede pedirnos copias de los documentos en los que nos basamos para esta decisión: ${contact}, e indique el número de reclamo de arriba. Se las enviaremos sin demora.`,
      'Si encuentra un error en ellos, avísenos en los 60 días siguientes a haberlos recibido.',
    ],
  },
  credit: {
    heading: 'Su abono',
    account: ({ is, amount, day }) => `El ${day} abonamos ${amount} en su cuenta${as[is]}.`,
    suspense: ({ is, amount, day }) =>
      `Su cuenta está cerrada y no conocemos ninguna cuenta bancaria que pueda recibir su ${named[is]} de ${amount}. Le guardamos el dinero desde el ${day}. Comuníquese con nosotros para que podamos pagárselo.`,
    bank: ({ is, amount, day, bank }) =>
      `Su cuenta está cerrada. El ${day} enviamos ${amount} a su cuenta bancaria ${bank}${as[is]}.`,
    nothing: 'El importe ya se le devolvió, así que no le corresponde ningún otro abono.',
    without: 'No recibió ningún abono provisional, así que no se carga nada a su cuenta.',
    final: (given, day, award) =>
      award === null
        ? `El abono provisional de ${given} que le dimos el ${day} es definitivo.`
        : `Del abono provisional de ${given} que le dimos el ${day}, ${award} son definitivos.`,
    debit: (debit, day, isWhole) =>
      `El ${day} cargaremos a su cuenta ${isWhole ? `este abono de ${debit}` : `${debit} de este abono`}. Si ese día hay menos dinero disponible, cargaremos solo lo que haya.`,
    honored: (day) =>
      `Hasta entonces puede usar todo el abono. Hasta el ${day}, el quinto día hábil después de la fecha de esta carta, pagaremos los cheques, giros e instrumentos similares a favor de terceros y las transferencias preautorizadas de su cuenta sin cobrarle por un sobregiro que resulte de ello. Pagaremos los que habríamos pagado si el abono no se hubiera cargado.`,
    kept: (given, day) =>
      `Su cuenta está cerrada. No le quitaremos nada del abono provisional de ${given} que le dimos el ${day}.`,
  },
  provisional: {
    lead: 'Estamos investigando su aviso. Hasta que terminemos, usted tiene un abono provisional.',
    fullUse: 'Puede usar todo este dinero mientras investigamos.',
    heading: 'Qué sigue',
    until: (day) =>
      day === null
        ? 'Le comunicaremos el resultado cuando hayamos terminado la investigación.'
        : `Terminaremos la investigación a más tardar el ${day} y le comunicaremos el resultado en los tres días hábiles siguientes.`,
    final: 'Si decidimos a su favor, el abono será definitivo.',
    warned:
      'Si no, o solo en parte, le diremos cuánto cargaremos a su cuenta y cuándo, antes de hacerlo.',
  },
  liability: {
    heading: 'Lo que usted asume',
    late: 'Usted nos avisó de la transferencia más de 60 días después de que le enviamos el estado de cuenta en el que apareció por primera vez. No asume nada solo por esta demora.',
    extended: 'Usted nos dijo por qué, y hemos ampliado los plazos que tenía para avisarnos.',
    bears: (amount) => `De esta transferencia usted asume ${amount}.`,
    reasons: {
      none: '',
      fifty:
        'Se perdió o le robaron un teléfono u otro medio de acceso. Usted asume como máximo $50 de una transferencia de la que nos avisó en los dos días hábiles siguientes a saberlo, o que se hizo en esos dos días.',
      five_hundred:
        'Se perdió o le robaron un teléfono u otro medio de acceso, y usted nos avisó más de dos días hábiles después de saberlo. En ese caso asume como máximo $500 de una transferencia que habríamos podido detener de haberlo sabido.',
      unlimited:
        'La transferencia se hizo más de 60 días después de que le enviamos un estado de cuenta en el que aparecía una transferencia no autorizada anterior, y habríamos podido detenerla si usted nos hubiera avisado en esos 60 días.',
    },
  },
  late: {
    lead: 'Hemos recibido su aviso de una transferencia no autorizada y lo estamos investigando.',
    headings: ['Su aviso llegó tarde', 'Lo máximo que usted asume', 'Si algo le impidió avisarnos'],
    came: 'Usted nos avisó más de 60 días después de que le enviamos el estado de cuenta en el que apareció por primera vez la transferencia. Los plazos de 12 CFR 1005.11 para nuestra investigación y el abono provisional no se aplican. Le comunicaremos el resultado.',
    bears: [
      'Los límites de 12 CFR 1005.6 sí se aplican. Usted no asume nada de una transferencia solo por esta demora. Solo puede asumir transferencias que se hicieron después de los 60 días y que habríamos podido detener si nos hubiera avisado en ese plazo.',
      'Si se perdió o le robaron un teléfono u otro medio de acceso, usted asume como máximo $50 si nos avisó en los dos días hábiles siguientes a saberlo, y como máximo $500 si nos avisó después.',
    ],
    kept: (contact) =>
      `Si no pudo avisarnos a tiempo, por ejemplo por un viaje largo o por estar en un hospital, díganoslo: ${contact}. Entonces ampliaremos estos plazos.`,
  },
  reasserted: {
    lead: (type) => `Hemos recibido su aviso. Usted ya nos avisó antes de ${kinds[type]}.`,
    headings: ['Nuestra respuesta', 'Lo que puede hacer'],
    answered: 'Ya le hemos respondido.',
    answer: (outcome, day, dispute) =>
      `El ${day} terminamos la investigación de aquel aviso (número de reclamo ${dispute}) y ${outcomes[outcome]}. Le dijimos lo que encontramos.`,
    noSecond:
      'Un error al que ya se respondió no necesita una segunda investigación (12 CFR 1005.11(e)). Su nuevo aviso no tiene plazo y usted no recibe ningún abono provisional por él.',
    canDo: (contact) => [
      `Si tiene información nueva, dénosla: ${contact}, e indique el número de reclamo de arriba. La examinaremos.`,
      'Puede pedirnos copias de los documentos en los que nos basamos. Si encuentra un error en ellos, avísenos en los 60 días siguientes a haberlos recibido y lo investigaremos de nuevo.',
    ],
  },
};
