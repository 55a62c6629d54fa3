import { useState } from 'react'
import { useApp, useAppState, useMay, useWords } from '../context.ts'
import { isWaiting } from '../queue/items.ts'
import { Button, ButtonLink, OutsideLink } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Frame } from '../ui/Frame.tsx'

/** Everything about the driver themselves. */
export default function MePage() {
  const words = useWords()
  const { day } = useAppState()
  const may = useMay()
  return (
    <Frame>
      <h1>{day?.driver.name ?? words.me}</h1>
      {may.pay && <ButtonLink to="/me/pay">{words.pay}</ButtonLink>}
      {may.calendar && <ButtonLink to="/me/calendar">{words.calendar}</ButtonLink>}
      <ButtonLink to="/me/notifications">{words.notifications}</ButtonLink>
      <ButtonLink to="/me/profile">{words.profile}</ButtonLink>
      <ButtonLink to="/me/access">{words.signInAndAccess}</ButtonLink>
      <OutsideLink href="/schedule/program-schedule" look="quiet">
        {words.openConsole}
      </OutsideLink>
      <SignOutButton />
    </Frame>
  )
}

/** Asks first: what waits stays on the phone and is sent only after the same driver is back. */
function SignOutButton() {
  const app = useApp()
  const words = useWords()
  const { queue } = useAppState()
  const [isAsking, setIsAsking] = useState(false)
  const waiting = queue.filter(isWaiting).length
  return (
    <>
      <Button look="bad" onClick={() => setIsAsking(true)}>
        {words.signOut}
      </Button>
      {isAsking && (
        <Dialog title={words.signOutTitle} onClose={() => setIsAsking(false)}>
          {waiting > 0 && <p>{words.signOutWaiting(waiting)}</p>}
          <p>{words.signOutText}</p>
          <Button look="bad" onClick={() => void app.signOut()}>
            {words.signOut}
          </Button>
          <Button onClick={() => setIsAsking(false)}>{words.cancel}</Button>
        </Dialog>
      )}
    </>
  )
}
