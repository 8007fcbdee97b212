// The lines that the guides have for a route of Next.js, as a new project compiles them (guide/webhooks).
import { createReceiver } from '@tenant-payments/sdk-server';
import type { NextRequest } from 'next/server';

const receiver = createReceiver({ secrets: 'whsec_a', onRecord: { load: ({ amount }) => amount } });

export async function POST(request: NextRequest): Promise<Response> {
  const { status, body } = await receiver.receive(await request.text(), request.headers);
  return new Response(body, { status });
}
