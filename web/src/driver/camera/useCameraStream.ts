import { useCallback, useEffect, useRef, useState } from 'react'
import { draw, UnusablePicture } from './shrinkPicture.ts'

/** `none` is a phone without a camera, or a page that may not ask for it. */
export type CameraState = 'asking' | 'on' | 'refused' | 'none'

const WANTED: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: { ideal: 'environment' }, width: { ideal: 2560 }, height: { ideal: 1440 } },
}
const QUALITY = 0.88

const stop = (stream: MediaStream | undefined) => stream?.getTracks().forEach((track) => track.stop())

/** Only secure pages have it. */
const mediaDevices = () => (navigator as Partial<Navigator>).mediaDevices

/** The picture of the phone's camera in the page, as long as the page is seen. */
export function useCameraStream() {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<CameraState>(() => (mediaDevices() ? 'asking' : 'none'))
  useEffect(() => {
    const devices = mediaDevices()
    if (!devices) return undefined
    let stream: MediaStream | undefined
    let isOver = false
    const open = async () => {
      try {
        const opened = await devices.getUserMedia(WANTED)
        if (isOver || document.hidden) return stop(opened)
        stop(stream)
        stream = opened
        if (video.current) {
          video.current.srcObject = stream
          // A phone that saves power may refuse to play; its picture stands still then and can still be taken.
          await video.current.play().catch(() => undefined)
        }
        setState('on')
      } catch (error) {
        if (!isOver) setState(error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'none')
      }
    }
    // A page in the background holds no camera, and phones end its stream.
    const follow = () => (document.hidden ? stop(stream) : void open())
    document.addEventListener('visibilitychange', follow)
    void open()
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', follow)
      stop(stream)
    }
  }, [])

  const takePicture = useCallback(async (): Promise<Blob> => {
    const element = video.current
    if (!element || element.videoWidth === 0) throw new UnusablePicture()
    return draw(element, { width: element.videoWidth, height: element.videoHeight }, QUALITY)
  }, [])
  return { video, state, takePicture }
}
