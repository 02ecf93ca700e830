"""torch.futures: a value that another thread will give, or an exception."""
import threading

__all__ = ["Future", "collect_all", "wait_all"]


class Future:
    """A value that is set once; who waits for it sleeps until then."""

    def __init__(self, *, devices=None):
        self._change = threading.Condition()
        self._callbacks = []
        self._done, self._value, self._error = False, None, None

    @classmethod
    def __class_getitem__(cls, kind):
        return cls

    def done(self):
        """Is there a value or an exception?"""
        return self._done

    def wait(self):
        """The value, as soon as it is there; an exception is raised."""
        with self._change:
            self._change.wait_for(self.done)
        return self.value()

    def value(self):
        """The value that is there; an exception is raised."""
        if not self._done:
            raise RuntimeError("Future has no value yet: wait() waits for it")
        if self._error is not None:
            raise self._error
        return self._value

    def set_result(self, result):
        """Gives the value: once."""
        self._finish(result, None)

    def set_exception(self, result):
        """Gives an exception: once."""
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._finish(None, result)

    def _finish(self, value, error):
        with self._change:
            if self._done:
                raise RuntimeError("Future is already completed: a value can be set once")
            self._done, self._value, self._error = True, value, error
            callbacks, self._callbacks = self._callbacks, None
            self._change.notify_all()
        for callback in callbacks:
            callback(self)

    def add_done_callback(self, callback):
        """callback(self) when there is a value; at once, if there is one."""
        with self._change:
            if not self._done:
                self._callbacks.append(callback)
                return
        callback(self)

    def then(self, callback):
        """A Future of callback(self)."""
        later = Future()

        def run(done):
            try:
                value = callback(done)
            except Exception as error:
                later.set_exception(error)
            else:
                later.set_result(value)
        self.add_done_callback(run)
        return later


def collect_all(futures):
    """A Future of the list, when all of them have their values."""
    all_of_them, left, lock = Future(), [len(futures)], threading.Lock()
    if not futures:
        all_of_them.set_result([])

    def one_more(_):
        with lock:
            left[0] -= 1
            last = left[0] == 0
        if last:
            all_of_them.set_result(futures)
    for future in futures:
        future.add_done_callback(one_more)
    return all_of_them


def wait_all(futures):
    """The values of all, when they are there; the first exception is raised."""
    return [future.wait() for future in collect_all(futures).wait()]
