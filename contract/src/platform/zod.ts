import { config } from 'zod'

// zod speeds schemas up with code made at run time, which the web app's content policy forbids.
if ('document' in globalThis) config({ jitless: true })

export * from 'zod'
