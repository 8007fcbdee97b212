import type { tour as english } from '../en/tour.ts';

export const tour: typeof english = {
  label: 'Recorrido',
  offerTitle: '¿Es su primera vez?',
  offer:
    'Compre un café, rompa la red, tumbe la tienda y vea que el libro mayor sigue sumando cero.',
  begin: 'Hacer el recorrido de 90 segundos',
  done: (title) => `${title}, listo`,
  over: 'Ese fue el recorrido',
  overText: 'La caja, el teléfono y el inspector son suyos. Pruebe lo que le preocupe.',
  again: 'Empezar de nuevo',
  lookAround: 'Mirar alrededor',
  waiting: 'Esperando webhooks…',
  end: 'Terminar',
  table: (count) => `Los ${count} asientos de este recorrido, por cuenta`,
  sum: 'Suma',
  steps: {
    order: {
      title: 'Pida un café',
      text: 'La caja pide $4.20 y muestra la solicitud de pago como código QR.',
      press: 'Cobrar un flat white',
    },
    pay: {
      title: 'Pague',
      text: 'El teléfono de Ana escanea el código. Ella confirma en una página del servicio; su PIN es 284617.',
      press: 'Pagar con el teléfono',
    },
    repeat: {
      title: 'El mismo evento otra vez',
      text: 'Las redes repiten mensajes. Haga que el servicio envíe payment.completed una vez más.',
      press: 'Enviarlo de nuevo',
    },
    chaos: {
      title: 'Caos',
      text: 'Desde ahora los eventos llegan dos veces y en desorden, y una de cada cuatro llamadas recibe un 503.',
      press: 'Encender el caos',
    },
    buyAgain: {
      title: 'Compre otra vez',
      text: 'Otro flat white, con todo eso. El PIN sigue siendo 284617.',
      press: 'Cobrar y pagar',
    },
    down: {
      title: 'La tienda se cae',
      text: 'Sin caos. Ahora se detiene el receptor de webhooks de la tienda: responde 503 a todo.',
      press: 'Detener el receptor',
    },
    payDown: {
      title: 'Pague mientras está caída',
      text: 'El cliente paga como siempre. La caja aún no lo sabe.',
      press: 'Cobrar y pagar',
    },
    up: {
      title: 'De vuelta',
      text: 'Encienda el receptor y adelante el reloj de la prueba al siguiente intento.',
      press: 'Encenderlo y adelantar el reloj',
    },
    refund: {
      title: 'Reembolso',
      text: 'El primer café estaba frío. El café confirma con su propio PIN, que también es 284617.',
      press: 'Reembolsar $4.20',
    },
    ledger: {
      title: 'Compruebe el libro mayor',
      text: 'Cada centavo del recorrido está en el libro mayor. Compruébelo todo.',
      press: 'Comprobar el libro mayor',
    },
  },
  results: {
    order: 'Un código firmado, válido por cinco minutos.',
    pay: 'La caja no confía en el navegador: lo dijo un webhook verificado.',
    repeat: 'Firma válida, id conocido: se ignoró. Se entregó un café.',
    chaos: 'Encendido. Nada cambia en el código de la tienda.',
    buyAgain: (times, coffees) => `Recibido ${times} veces, y aun así un pedido y ${coffees} café.`,
    down: 'Caída. Los pagos siguen sin ella.',
    payDown:
      'Pagado en el servicio, aún en espera en la caja. El servicio enviará el evento de nuevo.',
    up: 'El pedido se completó por sí solo.',
    refund: 'De vuelta con Ana, según las reglas de comisiones de los reembolsos.',
    ledger: (rows) => `Suma cero. Se comprobaron ${rows} filas y se cumplen todas las reglas.`,
  },
};
