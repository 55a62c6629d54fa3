import type { DriverAppShift, DriverDay } from '@roadshow/contract/live/driver-app'
import { useState } from 'react'
import { List, Soft } from '../../ui/layout.tsx'
import { useApp, useDay, useLanguage, useMay, useWords } from '../context.ts'
import { navigate } from '../router.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Frame } from '../ui/Frame.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { PictureInput } from './PictureInput.tsx'
import { Choice } from '../ui/Choice.tsx'
import { inspectionOf, itemsLeft, othersOk, withAnswer } from './inspection-rules.ts'
import type { ItemAnswer, ItemAnswers } from './inspection-rules.ts'
import { useDraft } from './useDraft.ts'
import styles from './shift.module.css'

interface InspectionDraft {
  answers: ItemAnswers
  signedBy: string
}

interface ItemParts {
  name: string
  /** Only what some trucks lack can be missing. */
  mayBeAbsent: boolean
  answer: ItemAnswer | undefined
  onAnswer: (part: Partial<ItemAnswer>) => void
  onBusy: (isBusy: boolean) => void
}

/** One thing to look at. A defect asks what is wrong, with a picture. */
function Item({ name, mayBeAbsent, answer, onAnswer, onBusy }: ItemParts) {
  const words = useWords()
  const results = [
    ['ok', words.resultOk],
    ['defect', words.resultDefect],
    ...(mayBeAbsent ? ([['notApplicable', words.resultNotApplicable]] as const) : []),
  ] as const
  return (
    <li className={styles.part}>
      <Choice legend={name} options={results} value={answer?.result} onValue={(result) => onAnswer({ result })} />
      {answer?.result === 'defect' && (
        <>
          <TextField
            label={words.defectNote}
            value={answer.note}
            onValue={(note) => onAnswer({ note })}
            maxLength={500}
          />
          <PictureInput
            of={name}
            picture={answer.picture}
            onPicture={(picture) => onAnswer({ picture })}
            onBusy={onBusy}
          />
        </>
      )}
    </li>
  )
}

function InspectionForm({ shift, items }: { shift: DriverAppShift; items: DriverDay['inspectionItems'] }) {
  const app = useApp()
  const words = useWords()
  const language = useLanguage()
  const up = `/shifts/${shift.uid}`
  const { draft, change, drop } = useDraft<InspectionDraft>(`inspection ${shift.uid}`, { answers: {}, signedBy: '' })
  const [busy, setBusy] = useState(0)
  if (!draft) return null
  const { answers, signedBy } = draft
  const left = itemsLeft(items, answers)
  const finish = async () => {
    const { items: inspected, pictures } = inspectionOf(items, answers)
    const act = { kind: 'inspection', items: inspected, signedBy: signedBy.trim() } as const
    if (!(await app.act(shift, act, pictures))) return
    await drop()
    navigate('/', { replace: true })
  }
  return (
    <Frame
      action={
        <>
          {left > 0 && (
            <Soft as="p" small>
              {words.inspectionLeft(left)}
            </Soft>
          )}
          <Button look="primary" disabled={left > 0 || busy > 0 || !signedBy.trim()} onClick={() => void finish()}>
            {words.finishInspection}
          </Button>
        </>
      }
    >
      <PageHead title={words.inspectionOf(shift.truck.number)} up={up} />
      <List gap={2}>
        {items.map(({ uid, name, nameEs, isOnEveryTruck }) => (
          <Item
            key={uid}
            mayBeAbsent={!isOnEveryTruck}
            name={language === 'es' && nameEs ? nameEs : name}
            answer={answers[uid]}
            onAnswer={(part) => change((before) => ({ answers: withAnswer(before.answers, uid, part) }))}
            onBusy={(isBusy) => setBusy((count) => count + (isBusy ? 1 : -1))}
          />
        ))}
      </List>
      <Button onClick={() => change((before) => ({ answers: othersOk(items, before.answers) }))}>{words.allOk}</Button>
      <p>{words.signatureText}</p>
      <TextField
        label={words.signature}
        value={signedBy}
        onValue={(name) => change({ signedBy: name })}
        maxLength={120}
        autoComplete="name"
      />
    </Frame>
  )
}

/** The inspection of the truck: a list with large answers, signed by name. */
export default function InspectionPage({ values }: { values: Record<string, string> }) {
  const words = useWords()
  const may = useMay()
  const day = useDay()
  const shift = day?.shifts.find(({ uid }) => uid === values['uid'])
  if (shift && day && may.act && day.inspectionItems.length > 0)
    return <InspectionForm shift={shift} items={day.inspectionItems} />
  return (
    <Frame>
      <PageHead title={shift ? words.inspection : words.shiftMissing} up="/" />
      <p>{!shift ? words.shiftMissingText : may.act ? words.inspectionNoList : words.readOnlyAccount}</p>
    </Frame>
  )
}
