import type { DocumentTexts } from './en.ts';

const sample =
  'Esto es una muestra. El operador de este programa debe sustituirla por el texto que hayan aprobado su banco y sus abogados.';

/** Las mismas muestras que en inglés. */
export const documentTexts: DocumentTexts = {
  digital_account_terms: [
    sample,
    'Su cuenta digital guarda el dinero que usted añade desde una cuenta bancaria propia. Un banco guarda el dinero, en una cuenta para los clientes de este programa.',
    'El dinero sale de su cuenta solo cuando usted lo confirma, con su PIN o con una llave de acceso. No comparta su PIN. Avísenos de inmediato si cree que otra persona lo conoce.',
    'Puede retirar su saldo a su cuenta bancaria vinculada en cualquier momento, dentro de los límites que se le muestran. La cuenta no tiene cuota mensual. La comisión de un pago se muestra antes de que lo confirme.',
    'Si ve una operación que usted no hizo, díganoslo en los 60 días siguientes al estado de cuenta que lo muestra.',
  ],
  esign_consent: [
    sample,
    'Usted acepta recibir condiciones, avisos y estados de cuenta en formato electrónico en lugar de papel.',
    'Necesita un dispositivo con un navegador actual y un lugar para guardar lo que descargue. Puede pedir una copia en papel y puede retirar este consentimiento; en ese caso la cuenta se cierra.',
  ],
  privacy_notice: [
    sample,
    'Recogemos su nombre, sus datos de contacto, su fecha de nacimiento y su número fiscal para comprobar quién es. La fecha de nacimiento y el número fiscal van al proveedor de identidad y no se guardan aquí.',
    'Compartimos lo necesario para mover su dinero con bancos y redes de pago, y lo que exige la ley con las autoridades. No vendemos sus datos.',
  ],
  cip_notice: [
    sample,
    'Para ayudar al gobierno a combatir la financiación del terrorismo y el lavado de dinero, la ley federal exige a las instituciones financieras obtener, verificar y registrar información que identifique a cada persona que abre una cuenta.',
    'Cuando usted abre una cuenta le pedimos su nombre, dirección, fecha de nacimiento y otra información que nos permita identificarle. También podemos pedirle documentos.',
  ],
  merchant_services_agreement: [
    sample,
    'Su empresa cobra a clientes de este programa. Cada pago es definitivo cuando figura como completado. Las comisiones son las acordadas con el programa y figuran junto a cada pago.',
    'Usted hace los reembolsos por medio de este programa. Si alguien reclama un pago, su importe puede quedar apartado hasta que se decida.',
  ],
  acceptable_use_policy: [
    sample,
    'Cobre solo por lo que realmente vende. No se permiten bienes ni servicios ilegales, el juego sin licencia ni los pagos por cuenta de otros.',
    'Podemos suspender a una empresa que incumpla esta política. El dinero que se debe a los clientes queda protegido mientras tanto.',
  ],
};
