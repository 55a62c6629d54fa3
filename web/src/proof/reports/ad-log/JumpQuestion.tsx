import { adLog, jumpAnswerLabel, jumpAnswers } from '@roadshow/contract/proof/ad-log'
import type { JumpAnswer, NumberRun } from '@roadshow/contract/proof/ad-log'
import { Alert, Button } from 'antd'
import { errorMessage } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { useMay } from '../../../api/user.ts'
import { Row, Soft } from '../../../ui/layout.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import { countOf } from '@roadshow/contract/platform/figures'

const doneText: Record<JumpAnswer, (numbers: string) => string> = {
  missing: (numbers) => `${numbers} counted as missing.`,
  set: (numbers) => `${numbers} left out: the counter was set.`,
}

interface JumpQuestionProps extends NumberRun {
  deviceUid: string
  /** The answers that are offered; one where it was decided before. */
  answers?: readonly JumpAnswer[]
}

/** Asks what a jump of a counter means: numbers that were lost, or a counter that was set. */
export function JumpQuestion({ deviceUid, from, to, answers = jumpAnswers }: JumpQuestionProps) {
  const mayAnswer = useMay(adLog.answerJump)
  const save = useSave(adLog.answerJump)
  const notice = useNotice()
  if (!mayAnswer) return answers.length > 1 && <Soft>An admin has to decide.</Soft>
  const decide = async (answer: JumpAnswer) => {
    try {
      await save.mutateAsync({ params: { uid: deviceUid }, body: { from, to, answer } })
      notice(doneText[answer](countOf(to - from + 1, 'number')))
    } catch {
      // The error stands below the buttons.
    }
  }
  return (
    <>
      <Row gap={2} wrap>
        {answers.map((answer) => (
          <Button key={answer} size="small" disabled={save.isPending} onClick={() => void decide(answer)}>
            {jumpAnswerLabel[answer]}
          </Button>
        ))}
      </Row>
      {save.error && <Alert type="error" role="alert" title={errorMessage(save.error)} />}
    </>
  )
}
