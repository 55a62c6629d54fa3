import { choosePicture } from './more-photos.ts'

const SWIPE = 48

const dialog = document.querySelector<HTMLDialogElement>('dialog.lightbox')
const picture = dialog?.querySelector('img')
const caption = dialog?.querySelector('figcaption')
const place = dialog?.querySelector('.place')

let shown: HTMLAnchorElement | undefined

const photos = () => [...document.querySelectorAll<HTMLAnchorElement>('.photo > a')]

/** Shows a photo over the page. Closing it leads back to the photo that was seen last. */
export function openLightbox(photo: HTMLAnchorElement): void {
  show(photo)
  dialog?.showModal()
}

function show(photo: HTMLAnchorElement): void {
  const small = photo.querySelector('img')
  if (!picture || !small) return
  shown = photo
  choosePicture(small)
  // The small picture shows at once; the large one replaces it when it is loaded.
  picture.srcset = ''
  picture.src = small.currentSrc || small.src || photo.href
  picture.alt = small.alt
  picture.width = Number(small.getAttribute('width'))
  picture.height = Number(small.getAttribute('height'))
  void enlarge(photo, small.srcset)
  const words = photo.parentElement?.querySelector('figcaption')
  caption?.replaceChildren(...[...(words?.childNodes ?? [])].map((node) => node.cloneNode(true)))
  const all = photos()
  const index = all.indexOf(photo)
  if (place) place.textContent = `${index + 1} of ${all.length}`
  // So that the next one is there when it is asked for.
  const next = all[index + 1]?.querySelector('img')
  if (next) next.loading = 'eager'
}

/** Once the large picture can be painted, it takes the place of the small one, unless another is shown by then. */
async function enlarge(photo: HTMLAnchorElement, srcset: string): Promise<void> {
  const large = new Image()
  large.sizes = '100vw'
  large.srcset = srcset
  const isThere = await large.decode().then(
    () => true,
    () => false,
  )
  if (isThere && shown === photo && picture) picture.src = large.currentSrc
}

function step(by: 1 | -1): void {
  const all = photos()
  const index = shown ? all.indexOf(shown) : -1
  const next = all[(index + by + all.length) % all.length]
  if (next) show(next)
}

if (dialog) {
  dialog.querySelector('.close')?.addEventListener('click', () => dialog.close())
  dialog.querySelector('.previous')?.addEventListener('click', () => step(-1))
  dialog.querySelector('.next')?.addEventListener('click', () => step(1))
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowRight') step(1)
    if (key === 'ArrowLeft') step(-1)
  })
  // Beside the picture is the page, which one goes back to.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || target === picture?.parentElement) dialog.close()
  })
  dialog.addEventListener('close', () => {
    shown?.focus()
    shown?.scrollIntoView({ block: 'nearest' })
  })

  let start: PointerEvent | undefined
  dialog.addEventListener('pointerdown', (event) => {
    start = event.isPrimary && event.pointerType !== 'mouse' ? event : undefined
  })
  dialog.addEventListener('pointerup', (event) => {
    const [across, down] = start ? [event.clientX - start.clientX, event.clientY - start.clientY] : [0, 0]
    start = undefined
    if (Math.abs(across) > SWIPE && Math.abs(across) > Math.abs(down)) step(across < 0 ? 1 : -1)
  })
}
