// Host code that a program calls through a HostFunction.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <poplar/ArrayRef.hpp>

namespace poplar {

class HostCallback {
 public:
  virtual ~HostCallback() {}
  // Each input and output is an array of the elements that Graph::addHostFunction names, there during the call only.
  virtual void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) = 0;
};

class HostCallbackHandle {
 public:
  template <class CallbackImpl,
            class = typename std::enable_if<std::is_base_of<HostCallback, CallbackImpl>::value>::type>
  HostCallbackHandle(std::unique_ptr<CallbackImpl> callback) : callback_(std::move(callback)) {}
  template <class F,
            class = typename std::enable_if<
                !std::is_same<typename std::decay<F>::type, HostCallbackHandle>::value &&
                std::is_constructible<std::function<void(ArrayRef<const void*>, ArrayRef<void*>)>, F>::value>::type,
            class = void>
  HostCallbackHandle(F&& f) : callback_(new Function(std::forward<F>(f))) {}
  HostCallbackHandle(HostCallbackHandle&&) = default;
  HostCallbackHandle& operator=(HostCallbackHandle&&) = default;
  HostCallbackHandle(const HostCallbackHandle&) = delete;
  HostCallbackHandle& operator=(const HostCallbackHandle&) = delete;

  HostCallback& get() const { return *callback_; }
  operator HostCallback&() { return *callback_; }
  HostCallback* operator->() { return callback_.get(); }
  HostCallback& operator*() { return *callback_; }
  std::unique_ptr<HostCallback> release() { return std::move(callback_); }

 private:
  class Function final : public HostCallback {
   public:
    template <class F>
    explicit Function(F&& f) : f_(std::forward<F>(f)) {}
    void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) override { f_(inputs, outputs); }

   private:
    std::function<void(ArrayRef<const void*>, ArrayRef<void*>)> f_;
  };
  std::unique_ptr<HostCallback> callback_;
};

}  // namespace poplar
