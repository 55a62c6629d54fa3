import { config, type core } from 'zod'
import { explainIssue } from './validation-messages.ts'

config({
  // zod speeds up schemas with generated code, which the content security policy of the web app forbids.
  ...('document' in globalThis && { jitless: true }),
  // Every message that a schema does not give itself is a sentence of ours.
  customError: (issue: core.$ZodRawIssue) => explainIssue(issue),
})

export * from 'zod'
