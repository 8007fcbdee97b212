import { sampleMarks } from '@tenant-payments/contract/core/disclosures.ts';
import type { SampleTexts } from './sample_texts.ts';

const notice = `> ${sampleMarks.es} Enseña cómo funciona esta página. Antes de abrir un programa al público, su
> operador publica el texto que hayan aprobado su banco y sus abogados.`;

/** Las mismas muestras que en inglés. */
export const spanish: SampleTexts = {
  digital_account_terms: {
    title: 'Condiciones de la cuenta digital',
    text: `${notice}

## Su cuenta

Su cuenta digital guarda los dólares que usted añade desde una cuenta bancaria propia o que otros le pagan.
Un banco guarda este dinero en una cuenta para los clientes de este programa. No hay cuota mensual ni saldo
mínimo. La cuenta no paga intereses.

## Mover dinero

- **Añadir dinero.** Pedimos a su banco que lo envíe y usted aprueba la solicitud en su banco.
- **Pagar.** El dinero sale de su cuenta solo cuando usted lo confirma, con su PIN o con una llave de
  acceso. Antes de confirmar ve el importe, quién lo recibe y la comisión, si la hay.
- **Retirar.** Puede enviar su saldo a su cuenta bancaria vinculada en cualquier momento, dentro de los
  límites que le mostramos. Si vincula otra cuenta bancaria, es posible que el primer retiro tenga que
  esperar unos días.

Un pago que figura como completado es definitivo. Los reembolsos los hace la empresa a la que usted pagó.

## Seguridad

No comparta su PIN. Avísenos de inmediato si cree que otra persona lo conoce o que salió dinero de su cuenta
sin su permiso.

## Comisiones

Usted ve cada comisión antes de confirmar. Hoy: ninguna por añadir dinero, ninguna por retirarlo, ninguna por un estado
de cuenta, y por un pago lo que diga la página antes de confirmarlo.

## Estados de cuenta y recibos

Cada transferencia confirmada tiene un recibo. Cada mes recibe un estado de cuenta con todas las transferencias, las
comisiones y los saldos.

## Su responsabilidad

Avísenos DE INMEDIATO si cree que perdió o le robaron su PIN o su teléfono, o que se hizo una transferencia sin su
permiso. Si nos avisa en los 2 días hábiles siguientes a saberlo, no puede perder más de $50. Si NO nos avisa en 2 días
hábiles y podemos demostrar que la habríamos evitado con su aviso, puede perder hasta $500. Además, si su estado de
cuenta muestra transferencias que usted no hizo, avísenos de inmediato. Si no nos avisa en los 60 días siguientes al
envío del estado de cuenta, puede no recuperar el dinero perdido después de esos 60 días, si podemos demostrar que lo
habríamos evitado con su aviso. Si un buen motivo le impidió avisarnos, ampliaremos estos plazos.

## Nuestra responsabilidad

Si no completamos una transferencia a tiempo o por el importe correcto según este acuerdo, responderemos por sus
pérdidas o daños. No respondemos si, sin culpa nuestra, no tiene dinero suficiente en su cuenta, si la transferencia
supera un límite o si la impiden circunstancias ajenas a nosotros.

## A quién informamos

Damos información a terceros sobre su cuenta o sus transferencias solo cuando es necesario para completar
transferencias, para verificar su cuenta ante un tercero, para cumplir órdenes de autoridades o tribunales, o con su
permiso por escrito.

## En caso de errores o preguntas sobre sus transferencias electrónicas

Llámenos al (212) 555-0100 o escríbanos a 100 Sample Street, Anytown, NY 10001 lo antes posible si cree que su estado de
cuenta o su recibo tiene un error o si necesita más información sobre una transferencia. Nuestros días hábiles son de
lunes a viernes sin los feriados federales. Debemos recibir su aviso a más tardar 60 días después de haberle enviado el
PRIMER estado de cuenta en el que apareció el problema o el error.

1. Díganos su nombre y su número de cuenta.
2. Describa el error o la transferencia sobre la que tiene dudas y explique con la mayor claridad posible por qué cree
   que es un error o por qué necesita más información.
3. Díganos el importe en dólares del supuesto error.

Determinaremos si hubo un error en los 10 días hábiles siguientes a su aviso y lo corregiremos sin demora. Si
necesitamos más tiempo, podemos tardar hasta 45 días en investigar. Si lo decidimos así, abonaremos en su cuenta en 10
días hábiles el importe que usted considera equivocado. En el caso de cuentas nuevas podemos tardar hasta 20 días hábiles
en abonarlo. Le comunicaremos el resultado en los tres días hábiles siguientes a terminar la investigación. Si decidimos
que no hubo error, le enviaremos una explicación por escrito. Puede pedir copias de los documentos que usamos.

## Cierre

Puede cerrar la cuenta en cualquier momento. Entonces enviamos lo que quede a su cuenta bancaria vinculada.
Podemos suspender una cuenta cuando lo exija la ley o para evitar un fraude, y se lo decimos siempre que
podamos.`,
  },
  esign_consent: {
    title: 'Consentimiento para documentos electrónicos',
    text: `${notice}

## Qué acepta usted

Usted acepta recibir condiciones, avisos, recibos y estados de cuenta en formato electrónico en lugar de
papel. Su consentimiento abarca todo lo relacionado con su cuenta mientras la tenga.

## Qué necesita

1. Un teléfono o una computadora con un navegador actual.
2. Un correo electrónico y un número de celular que nos mantenga al día.
3. Una forma de guardar o imprimir lo que quiera conservar.

## Sus derechos

Puede pedirnos una copia en papel de cualquier documento, sin costo. Puede retirar este consentimiento en
cualquier momento: avísenos. En ese caso su cuenta sigue abierta, le enviamos los estados de cuenta y los avisos
en papel, y no le cobramos nada por ello.`,
  },
  privacy_notice: {
    title: 'Aviso de privacidad',
    text: `${notice}

## Qué datos recogemos

| Qué | Para qué |
| --- | --- |
| Su nombre, su correo electrónico y su número de celular | para abrir su cuenta y comunicarnos con usted |
| Su fecha de nacimiento, su número fiscal y su domicilio | para comprobar quién es |
| El nombre de su banco y las últimas cifras de su cuenta | para enviar y recibir dinero |
| Sus pagos y otras operaciones | para llevar su cuenta y evitar el fraude |

Su fecha de nacimiento, su número fiscal y su domicilio van a nuestro proveedor de identidad. No los
guardamos.

## Con quién los compartimos

Compartimos lo necesario para mover su dinero con bancos y redes de pago, lo necesario para comprobar su
identidad con nuestro proveedor de identidad, y lo que exige la ley con las autoridades. La empresa a la que
usted paga ve su nombre y la inicial de su apellido. **No vendemos sus datos.**

## Cuánto tiempo los guardamos

Guardamos sus datos mientras tenga una cuenta y, como exige la ley, durante cinco años después de cerrarla.`,
  },
  cip_notice: {
    title: 'Aviso sobre la verificación de su identidad',
    text: `${notice}

## Información importante sobre la apertura de una cuenta

Para ayudar al gobierno a combatir la financiación del terrorismo y el lavado de dinero, la ley federal exige
a las instituciones financieras obtener, verificar y registrar información que identifique a cada persona que
abre una cuenta.

**Qué significa para usted:** cuando abre una cuenta, le pedimos su nombre, su domicilio, su fecha de
nacimiento y su número fiscal. También podemos pedirle su licencia de conducir u otros documentos. En el caso
de una empresa, pedimos la misma información sobre las personas que la poseen o la controlan.`,
  },
  merchant_services_agreement: {
    title: 'Contrato de servicios para comercios',
    text: `${notice}

## Cobrar

Su empresa cobra a clientes de este programa. Cada pago es definitivo cuando figura como completado, y su
importe, menos las comisiones, está en su cuenta en el acto. Las comisiones son las que acordó con el
programa y figuran junto a cada pago.

## Reembolsos y reclamaciones

- Usted hace los reembolsos por medio de este programa, hasta el importe del pago. Si su saldo no alcanza, el
  reembolso espera hasta 30 días a que entre dinero. Las comisiones no se devuelven.
- Si alguien reclama un pago, podemos apartar su importe hasta que se decida la reclamación. Si se decide a
  favor de quien pagó, el importe se paga con lo que se apartó.

## Sus obligaciones

1. Diga a sus clientes por qué pagan y cumpla su propia política de devoluciones.
2. Envíenos en un día hábil todo aviso de un error, de un pago no autorizado o de una mala compra.
3. Manténganos al día sobre quién posee y quién controla la empresa.

## Fin de este contrato

Cualquiera de las partes puede terminar este contrato en cualquier momento. Antes se resuelven los reembolsos
y las reclamaciones de pagos anteriores. Después enviamos lo que quede a su cuenta bancaria vinculada.`,
  },
  acceptable_use_policy: {
    title: 'Política de uso aceptable',
    text: `${notice}

## Qué puede hacer

Cobre por lo que realmente vende, con el nombre con el que le conocen sus clientes.

## Qué no está permitido

- Bienes o servicios ilegales donde esté usted o donde esté su cliente.
- El juego sin licencia y cualquier tipo de estafa piramidal.
- Los cobros por cuenta de otra empresa o a usted mismo.
- Todo lo que pretenda ocultar quién paga, quién cobra o por qué.

## Qué pasa si no se cumple

Podemos rechazar pagos o suspender a la empresa. El dinero que se debe a los clientes queda protegido
mientras tanto. Si cree que nos equivocamos, díganoslo y una persona volverá a examinarlo.`,
  },
};
