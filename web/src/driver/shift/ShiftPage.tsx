import { useAppState, useDay, useWords } from '../context.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Frame } from '../ui/Frame.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { NextActButton } from './NextAct.tsx'
import { ShiftCard } from './ShiftCard.tsx'
import { ShiftParts } from './ShiftParts.tsx'
import { TimeQuestions } from './TimeQuestions.tsx'

/** One shift with everything about it. */
export default function ShiftPage({ values }: { values: Record<string, string> }) {
  const words = useWords()
  const { isLoading } = useAppState()
  const shift = useDay()?.shifts.find(({ uid }) => uid === values['uid'])
  if (!shift)
    return (
      <Frame>
        <PageHead title={isLoading ? words.loading : words.shiftMissing} up="/" />
        {!isLoading && <p>{words.shiftMissingText}</p>}
        <ButtonLink to="/">{words.today}</ButtonLink>
      </Frame>
    )
  return (
    <Frame action={<NextActButton shift={shift} />}>
      <PageHead title={words.details} up="/" />
      <TimeQuestions shift={shift} />
      <ShiftCard shift={shift} />
      <ShiftParts shift={shift} />
    </Frame>
  )
}
