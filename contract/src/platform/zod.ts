import { config, type core } from 'zod'
import { explainIssue } from './validation-messages.ts'

config({
  // zod speeds schemas up with code made at run time, which the web app's content policy forbids.
  ...('document' in globalThis && { jitless: true }),
  // Every message that a schema does not give itself is a sentence of ours.
  customError: (issue: core.$ZodRawIssue) => explainIssue(issue),
})

export * from 'zod'
