// What tamis throws. Every message says what was refused, the value, and the limit or the valid
// choices, in one line. The libraries never print, exit or abort.
#ifndef TAMIS_ERROR_H_
#define TAMIS_ERROR_H_

#include <stdexcept>

namespace tamis {

/// Base of all errors thrown by tamis.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A value outside its range: a rate, size, name, or a span that is too short.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// More memory asked for than the limit allows or the system gives. Nothing was allocated.
class MemoryError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be read or written, or whose content is refused.
class FileError : public Error {
 public:
  using Error::Error;
};

/// A device (GPU) that is not there, or that failed. The message says which and why.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// Two filters whose bits mean different things (another variant, hash, seed or size).
class SpecMismatch : public Error {
 public:
  using Error::Error;
};

}  // namespace tamis

#endif  // TAMIS_ERROR_H_
