import { shiftTimes } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerQuestion, readQuestions } from './answers.ts'

export function shiftTimeRoutes(app: App): void {
  serve(app, shiftTimes.questions, async ({ db, scope, params }) => ({
    data: await readQuestions(db, scope, params.uid),
  }))
  serve(app, shiftTimes.answer, async ({ db, scope, params, body }) => ({
    data: await answerQuestion(db, scope, params.uid, body),
  }))
}
