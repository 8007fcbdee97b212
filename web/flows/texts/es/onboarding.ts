import type { Texts } from '../en.ts';

/** The texts of onboarding: of a person, of a business, and of the page of an owner. */
export const onboarding: Texts['onboarding'] = {
  aboutTitle: 'Sobre usted',
  addressTitle: 'Su domicilio',
  pinTitle: 'Elija un PIN',
  pinText: 'Lo usará para confirmar los pagos.',
  reviewTitle: 'Revise su información',
  name: 'Nombre',
  address: 'Dirección',
  verified: 'Verificado',
  yourPin: 'Su PIN',
  pinChosen: 'Elegido; no se muestra aquí',
  change: 'Cambiar',
  changeWhat: (what) => `Cambiar ${what}`,
  submit: 'Enviar solicitud',
  doneTitle: 'Solicitud enviada',
  done: (tenant) => `La estamos revisando. ${tenant} le avisará del resultado.`,
  approvedTitle: 'Su solicitud fue aprobada',
  approved: 'Su cuenta está abierta.',
  alreadyTitle: 'Por ahora no hay nada que hacer',
  already: (tenant) => `Estamos revisando su solicitud. ${tenant} le avisará del resultado.`,
  rejectedTitle: 'Su solicitud no fue aprobada',
  rejectedUntil: (moment) => `A partir del ${moment} puede presentar otra solicitud.`,
  rejectedWhy: 'No pudimos confirmar toda la información que la ley exige para abrir una cuenta.',
  rejectedFinal: (tenant) =>
    `Esta decisión es definitiva. Si tiene preguntas o cree que es un error, comuníquese con ${tenant}.`,
  moreTitle: 'Escriba su información otra vez',
  more: 'No pudimos confirmar una parte.',
  moreDocuments: (documents) =>
    `También necesitamos: ${documents}. Tenga lista una foto o un archivo.`,
  retry: 'Ya puede presentar otra solicitud. Revise cada respuesta antes de enviarla.',
  start: 'Comenzar',
};

/** Documents for the identity check. */
export const papers: Texts['papers'] = {
  title: 'Sus documentos',
  text: 'Agregue una foto o un archivo de cada uno: JPEG, PNG o PDF, hasta 10 MB. Lo guardamos encriptado.',
  names: {
    photo_id: 'Identificación con foto',
    proof_of_address: 'Comprobante de domicilio',
    tax_document: 'Comprobante de su SSN o ITIN',
    business_document: 'Comprobante de la empresa',
  },
  hints: {
    photo_id:
      'Un pasaporte, licencia de conducir o identificación estatal vigente. Que se vean las cuatro esquinas.',
    proof_of_address:
      'Una factura o estado de cuenta de los últimos tres meses con su nombre y domicilio.',
    tax_document:
      'Una tarjeta de Seguro Social, una carta del IRS con su ITIN o un formulario de impuestos que lo muestre.',
    business_document: 'Acta constitutiva, licencia comercial o contrato de sociedad.',
  },
  choose: 'Elegir foto o archivo',
  takePhoto: 'Tomar una foto',
  retake: 'Tomar otra foto',
  chooseFile: 'Elegir un archivo',
  replace: 'Elegir otro archivo',
  pictureOf: (document) => `${document}, como lo agregó`,
  given: 'Recibido',
  notGiven: 'Todavía no se agregó',
  sending: 'Enviando…',
  missing: (documents) => `Todavía falta: ${documents}.`,
};

/** The texts of the steps that only a business has. */
export const business: Texts['business'] = {
  factsTitle: 'Sobre su negocio',
  legalName: 'Nombre legal',
  legalNameHint: 'Exactamente como está registrado',
  tradingName: 'Nombre comercial (DBA)',
  tradingNameHint: 'El nombre que ven sus clientes',
  industry: 'Industria',
  ein: 'Número de identificación del empleador (EIN)',
  einHint:
    'Sirve para verificar la empresa y lo guardamos encriptado, nosotros o nuestro proveedor de verificación. Se pide para restablecer el PIN.',
  badEin: 'Escriba los nueve dígitos del EIN',
  addressTitle: 'Dirección del negocio',
  ownersTitle: 'Propietarios y persona de control',
  ownersText:
    'Agregue a todas las personas que poseen el 25% o más del negocio y a la persona de control: la persona que lo dirige, como el director ejecutivo. Una persona puede ser ambas cosas.',
  ownersNone: 'Todavía no ha agregado a nadie.',
  ownersMissing: 'Agregue a la persona de control, que dirige el negocio',
  ownersTwo: 'Solo una persona puede ser la persona de control',
  ownersAlone:
    'Necesitamos la información de cada persona para aprobar el negocio. Las personas que invite recibirán un correo electrónico con su propio enlace.',
  addPresent: 'Agregar a alguien que está con usted',
  invite: 'Invitar a alguien por correo electrónico',
  presentTitle: 'Agregue a alguien que está con usted',
  inviteTitle: 'Invite a alguien por correo electrónico',
  ownerName: 'Nombre completo',
  role: 'Función',
  roles: {
    owner: 'Propietario',
    control_person: 'Persona de control',
    owner_and_control_person: 'Propietario y persona de control',
  },
  percent: 'Porcentaje que posee',
  badPercent: 'Escriba un número entero de 0 a 100',
  percentOf: (percent) => `${percent}%`,
  statuses: {
    invited: 'Invitación enviada',
    pending: 'En revisión',
    in_review: 'En revisión',
    approved: 'Aprobado',
    rejected: 'No aprobado',
  },
  sendInvitation: 'Enviar invitación',
  addPerson: 'Agregar a esta persona',
  again: 'Enviar el enlace otra vez',
  againTo: (name) => `Enviar el enlace a ${name} otra vez`,
  sentAgain: (name) => `El enlace se envió otra vez a ${name}.`,
  changeTitle: 'Cambie los datos de esta persona',
  changeText: 'El enlace que enviamos antes dejará de funcionar. Enviaremos uno nuevo.',
  emailKept: 'Déjelo en blanco para usar la misma dirección que antes',
  saveAndSend: 'Guardar y enviar el enlace',
  theirDetails: 'Sobre esta persona',
  theirAddress: 'Domicilio de esta persona',
};

/** The page of an owner who follows a link. */
export const owner: Texts['owner'] = {
  welcomeTitle: (company) => `Verifique su identidad para ${company}`,
  welcome: (name) =>
    `${name}, la ley nos exige verificar a las personas que poseen o dirigen un negocio.`,
  asRole: (role) => `El negocio lo registró a usted como: ${role}.`,
  submit: 'Enviar mi información',
  doneTitle: 'Gracias',
  done: (company) => `Estamos revisando su información. ${company} recibirá el resultado.`,
  linkTitle: 'Este enlace ya no funciona',
  link: 'Ya se usó, otro más nuevo lo reemplazó o venció. Pida al negocio que envíe uno nuevo.',
};
