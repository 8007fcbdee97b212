import { Socket } from 'node:net';

/** Each address that any socket of this process has tried to reach, from now on. */
export interface WatchedConnections {
  /** `address port`, in order. */
  readonly tried: string[];
  stop(): void;
}

/** Watches below names and TLS: where the platform itself begins to connect. */
export function watchConnections(): WatchedConnections {
  const tried: string[] = [];
  const original = Socket.prototype.connect;
  const watched = new WeakSet<Socket>();
  function connect(this: Socket, ...given: unknown[]): Socket {
    if (!watched.has(this)) {
      watched.add(this);
      this.on('connectionAttempt', (address: string, port: number) =>
        tried.push(`${address} ${port}`),
      );
    }
    return Reflect.apply(original, this, given);
  }
  Socket.prototype.connect = connect as typeof original;
  return {
    tried,
    stop: () => {
      Socket.prototype.connect = original;
    },
  };
}
