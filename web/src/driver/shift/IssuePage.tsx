import type { DriverAct, DriverAppShift } from '@roadshow/contract/live/driver-app'
import { useState } from 'react'
import { useApp, useDay, useMay, useWords } from '../context.ts'
import { goBack } from '../router.tsx'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/Field.tsx'
import { Frame } from '../ui/Frame.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { PictureInput } from './PictureInput.tsx'
import { Choice } from '../ui/Choice.tsx'
import { useDraft } from './useDraft.ts'

type IssueKind = (DriverAct & { kind: 'issue' })['issueKind']

interface IssueDraft {
  issueKind?: IssueKind
  text: string
  picture?: Blob | undefined
}

function IssueForm({ shift }: { shift: DriverAppShift }) {
  const app = useApp()
  const words = useWords()
  const up = `/shifts/${shift.uid}`
  const { draft, change, drop } = useDraft<IssueDraft>(`issue ${shift.uid}`, { text: '' })
  const [isBusy, setBusy] = useState(false)
  if (!draft) return null
  const { issueKind, text, picture } = draft
  const kinds = [
    ['mechanical', words.issueMechanical],
    ['screen', words.issueScreen],
    ['accident', words.issueAccident],
    ['other', words.issueOther],
  ] as const
  const isReady = issueKind !== undefined && (text.trim() !== '' || picture !== undefined)
  const report = async () => {
    if (!issueKind) return
    const pictures = picture ? [{ itemUid: null, blob: picture }] : []
    if (!(await app.act(shift, { kind: 'issue', issueKind, text: text.trim() }, pictures))) return
    await drop()
    goBack(up)
  }
  return (
    <Frame
      action={
        <Button look="primary" disabled={!isReady || isBusy} onClick={() => void report()}>
          {words.reportIssue}
        </Button>
      }
    >
      <PageHead title={words.reportIssue} up={up} />
      <p>
        {words.truck} {shift.truck.number}
      </p>
      <Choice
        legend={words.issueKind}
        options={kinds}
        value={issueKind}
        onValue={(value) => change({ issueKind: value })}
      />
      <TextArea label={words.issueText} value={text} onValue={(value) => change({ text: value })} maxLength={500} />
      <PictureInput
        of={words.reportIssue}
        picture={picture}
        onPicture={(taken) => change({ picture: taken })}
        onBusy={setBusy}
      />
    </Frame>
  )
}

/** Reports a problem with the truck, with a picture. */
export default function IssuePage({ values }: { values: Record<string, string> }) {
  const words = useWords()
  const may = useMay()
  const shift = useDay()?.shifts.find(({ uid }) => uid === values['uid'])
  if (shift && may.act) return <IssueForm shift={shift} />
  return (
    <Frame>
      <PageHead title={shift ? words.reportIssue : words.shiftMissing} up="/" />
      <p>{shift ? words.readOnlyAccount : words.shiftMissingText}</p>
    </Frame>
  )
}
