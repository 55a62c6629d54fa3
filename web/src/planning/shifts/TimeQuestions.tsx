import { shiftTimes } from '@roadshow/contract/live/shift-times'
import type { TimeQuestion } from '@roadshow/contract/live/shift-times'
import type { Shift } from '@roadshow/contract/planning/shifts'
import { describeSeenTime } from '@roadshow/contract/planning/time-question'
import { Alert, Button } from 'antd'
import { errorMessage } from '../../api/call.ts'
import { useDetails } from '../../api/useDetails.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Row } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'

interface TimeQuestionsProps {
  shift: Pick<Shift, 'uid' | 'truck' | 'zone' | 'startedAt'>
  /** A time was corrected; the form beside may have edits. */
  onCorrected: () => Promise<void>
}

/** Asks about a start or stop that the truck's own data contradict. A question that can't be loaded is asked next time. */
export function TimeQuestions({ shift, onCorrected }: TimeQuestionsProps) {
  const mayPlan = useMay(shiftTimes.questions)
  const found = useDetails(shiftTimes.questions, mayPlan && shift.startedAt ? shift.uid : undefined)
  const save = useSave(shiftTimes.answer)
  const notice = useNotice()
  const answer = async ({ kind, about, at }: TimeQuestion, isCorrected: boolean) => {
    try {
      const body = { time: kind, about, seenAt: at, isCorrected }
      await save.mutateAsync({ params: { uid: shift.uid }, body })
      notice(isCorrected ? 'Times corrected.' : `The ${kind} is kept.`)
      if (isCorrected) await onCorrected()
    } catch {
      // The error stands below the questions.
    }
  }
  return (
    <>
      {found.data?.map((question) => (
        <Row key={question.kind} gap={2} align="center" wrap above={3} below={3}>
          <span>
            {describeSeenTime(question, shift.truck.name, shift.zone)}. Correct the {question.kind}?
          </span>
          <Button size="small" disabled={save.isPending} onClick={() => void answer(question, true)}>
            Correct the {question.kind}
          </Button>
          <Button size="small" type="text" disabled={save.isPending} onClick={() => void answer(question, false)}>
            Keep
          </Button>
        </Row>
      ))}
      {save.error && <Alert type="error" role="alert" title={errorMessage(save.error)} />}
    </>
  )
}
